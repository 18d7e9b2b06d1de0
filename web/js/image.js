// A board as a standalone image with all styles embedded.

const PROPERTIES = [
    'fill',
    'fill-opacity',
    'stroke',
    'stroke-width',
    'stroke-opacity',
    'stroke-dasharray',
    'stroke-linecap',
    'stroke-linejoin',
    'opacity',
    'font-family',
    'font-size',
    'font-weight',
    'font-style',
    'text-anchor',
    'stop-color',
    'shape-rendering',
];

function inline(source, copy) {
    const style = getComputedStyle(source);
    for (const name of PROPERTIES) {
        const value = style.getPropertyValue(name);
        if (value && value !== 'none' && !(name === 'opacity' && value === '1'))
            copy.setAttribute(name, value.replace(/"/g, "'"));
        else if (value === 'none' && (name === 'fill' || name === 'stroke')) copy.setAttribute(name, 'none');
    }
    if (style.display === 'none') copy.setAttribute('display', 'none');
    copy.removeAttribute('class');
    for (let i = 0; i < source.children.length; i++) inline(source.children[i], copy.children[i]);
}

/** @param {SVGSVGElement} svg must be in the page, for its computed styles @returns {string} */
export function standaloneSvg(svg) {
    const copy = svg.cloneNode(true);
    inline(svg, copy);
    const defs = document.querySelector('.sprite defs');
    const gradients = defs.cloneNode(true);
    inline(defs, gradients);
    copy.prepend(gradients);
    const box = svg.viewBox.baseVal;
    const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    paper.setAttribute('width', box.width + 16);
    paper.setAttribute('height', box.height + 8);
    paper.setAttribute('x', '-8');
    paper.setAttribute('y', '-8');
    paper.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
    copy.prepend(paper);
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('viewBox', `-8 -8 ${box.width + 16} ${box.height + 8}`);
    copy.setAttribute('width', box.width + 16);
    copy.setAttribute('height', box.height + 8);
    return new XMLSerializer().serializeToString(copy);
}

/** @returns {Promise<Blob>} PNG with twice the resolution of the page */
export async function pngOf(svgText) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Offers a file for download. */
export function download(name, blob) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
