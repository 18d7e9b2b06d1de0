// The move tree: moves and variations, navigation, comments.
import { h, iconButton, setDisabled, setText } from '../lib/dom.js';
import { MoveTree } from '../widgets/movetree.js';

export class TreePanel {
    /** @param {import('../session.js').Session} session */
    constructor(session) {
        this.session = session;
        this.tree = new MoveTree((node) => session.goto(node));
        const nav = (name, label, run) => iconButton(name, label, run, { class: 'tight' });
        this.begin = nav('begin', 'Go to start', () => session.goto(null));
        this.back = nav('back', 'Previous turn', () => session.step(-1));
        this.next = nav('next', 'Next turn', () => session.step(1));
        this.end = nav('end', 'Go to end', () => this.#toEnd());
        this.promote = nav('promote', 'Make this the main line', () =>
            session.act('promote', { node: session.state.current }),
        );
        this.remove = nav('trash', 'Delete from here', () => session.act('delete', { node: session.state.current }));
        this.write = nav('edit', 'Comment', () => this.#edit());
        this.comment = h('p', { class: 'comment' });
        this.editor = h('textarea', {
            class: 'input comment-input',
            'aria-label': 'Comment',
            rows: 2,
            hidden: true,
            maxlength: 2000,
        });
        this.editor.addEventListener('change', () => this.#save());
        this.editor.addEventListener('blur', () => this.#save());
        this.editor.addEventListener('keydown', (event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            this.#save();
        });
        this.element = h(
            'section',
            { class: 'panel-part' },
            h(
                'div',
                { class: 'row between part-head' },
                h('h2', { class: 'head' }, 'Moves'),
                h(
                    'div',
                    { class: 'row tight-row' },
                    this.write,
                    this.promote,
                    this.remove,
                    h('span', { class: 'nav-gap' }),
                    this.begin,
                    this.back,
                    this.next,
                    this.end,
                ),
            ),
            this.tree.element,
            this.comment,
            this.editor,
        );
    }

    draw() {
        const { session } = this;
        const { state } = session;
        this.tree.draw(session);
        const node = session.tree.byId.get(state.current);
        setDisabled(this.begin, state.current === null);
        setDisabled(this.back, state.current === null);
        const ended = session.neighbour(1) === undefined;
        setDisabled(this.next, ended);
        setDisabled(this.end, ended);
        setDisabled(this.write, !node);
        setDisabled(this.remove, !node);
        setDisabled(this.promote, !node || node.main);
        setText(this.comment, node?.comment ?? '');
        this.comment.hidden = !node?.comment || !this.editor.hidden;
        if (this.editing !== undefined && this.editing !== state.current) this.#close();
    }

    #toEnd() {
        const line = this.session.line();
        if (line.length > 0) this.session.goto(line[line.length - 1].id);
    }

    #edit() {
        const { state, tree } = this.session;
        this.editing = state.current;
        this.editor.value = tree.byId.get(state.current)?.comment ?? '';
        this.editor.hidden = false;
        this.comment.hidden = true;
        this.editor.focus();
    }

    #close() {
        this.editing = undefined;
        this.editor.hidden = true;
    }

    #save() {
        const node = this.editing;
        if (node === undefined) return;
        const text = this.editor.value.trim();
        const before = this.session.tree.byId.get(node)?.comment ?? '';
        this.#close();
        if (text !== before) this.session.act('comment', { node, text });
        else this.draw();
    }
}
