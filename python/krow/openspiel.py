"""Games and states that follow the interface of OpenSpiel (pyspiel), without needing it.

>>> game = load_game("tictactoe")
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> state.returns()
[1.0, -1.0]
"""
from __future__ import annotations

import operator
from typing import Any, List, Optional

import numpy as np

from ._library import BadInput
from .game import PLANES, Game
from .rules import Rules, RulesLike, rules_of

TERMINAL_PLAYER = -4  # pyspiel.PlayerId.TERMINAL


class SpielGame:
    """The rules of a game, as pyspiel.Game describes them."""

    def __init__(self, rules: RulesLike) -> None:
        self.rules: Rules = rules_of(rules)

    def new_initial_state(self) -> SpielState:
        """A state with an empty board."""
        return SpielState(self)

    def num_players(self) -> int:
        """Two."""
        return 2

    def num_distinct_actions(self) -> int:
        """Actions, legal or not."""
        return self.rules.actions

    def max_game_length(self) -> int:
        """Stones of the longest game."""
        return self.rules.cells

    def max_chance_outcomes(self) -> int:
        """None of the games has chance nodes."""
        return 0

    def min_utility(self) -> float:
        """The return of a loss."""
        return -1.0

    def max_utility(self) -> float:
        """The return of a win."""
        return 1.0

    def utility_sum(self) -> float:
        """The games are zero-sum."""
        return 0.0

    def observation_tensor_shape(self) -> List[int]:
        """Planes, rows, columns."""
        return [PLANES, self.rules.height, self.rules.width]

    def observation_tensor_size(self) -> int:
        """Numbers of an observation."""
        return PLANES * self.rules.cells

    def deserialize_state(self, text: str) -> SpielState:
        """The state of a text that `SpielState.serialize` has written."""
        if not isinstance(text, str):
            raise TypeError(f"a state must be a str, not {type(text).__name__}")
        state = self.new_initial_state()
        for word in text.split():
            if not word.isdecimal():
                raise BadInput(f"{word!r} is not an action")
            state.apply_action(int(word))
        return state

    def get_parameters(self) -> dict:
        """The rules."""
        return {"rules": str(self.rules)}

    def __str__(self) -> str:
        return f"krow(rules={self.rules})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielGame) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)


class SpielState:
    """A position with its history, as pyspiel.State describes it. An action places one stone, so a player acts p times
    in a row."""

    def __init__(self, game: SpielGame, position: Optional[Game] = None) -> None:
        self._game = game
        self.position: Game = Game(game.rules) if position is None else position

    def get_game(self) -> SpielGame:
        """The game of this state."""
        return self._game

    # --- Playing ---

    def current_player(self) -> int:
        """0, 1, or -4 at the end."""
        return TERMINAL_PLAYER if self.position.is_over else self.position.side

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def is_chance_node(self) -> bool:
        """Never."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Never."""
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """The legal actions in ascending order; none for a player who does not act."""
        return [] if player not in (None, self.current_player()) else self.position.legal_actions()

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """1 for every legal action, 0 for the others."""
        mask = np.zeros(self._game.rules.actions, int)
        mask[self.legal_actions(player)] = 1
        return mask.tolist()

    def apply_action(self, action: int) -> None:
        """Places a stone."""
        self.position.play(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last stone back."""
        if self.position.actions[-1:] != [action]:
            raise BadInput(f"{action} is not the last action")
        self.position.undo()
        if self.position.side != player:
            self.position.play(action)
            raise BadInput(f"the last action is not one of player {player}")

    def child(self, action: int) -> SpielState:
        """The state after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> SpielState:
        """An independent copy."""
        return SpielState(self._game, self.position.copy())

    # --- Results ---

    def returns(self) -> List[float]:
        """1 for the winner and -1 for the loser; 0 for a draw and during the game."""
        winner = self.position.winner
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def rewards(self) -> List[float]:
        """The rewards of the last action: the returns, which only the last stone decides."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of one player."""
        return self.returns()[player]

    player_reward = player_return

    # --- Observations and texts ---

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The planes of `Game.observation` as a player sees them, as a flat list."""
        player = self.position.side if player is None else operator.index(player)
        if player not in (0, 1):
            raise BadInput(f"the players are 0 and 1, not {player}")
        planes = self.position.observation()
        if player != self.position.side:
            planes[[0, 1]] = planes[[1, 0]]
        return planes.astype(float).ravel().tolist()

    def observation_string(self, player: Optional[int] = None) -> str:
        """The board as text."""
        return str(self.position)

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The history, which both players know."""
        return self.history_str()

    def action_to_string(self, player_or_action: int, action: Optional[int] = None) -> str:
        """The name of the cell of an action."""
        return self._game.rules.cell(player_or_action if action is None else action)

    def string_to_action(self, *text: Any) -> int:
        """The action of a cell; a player may come before the text."""
        return self._game.rules.action(text[-1])

    def history(self) -> List[int]:
        """The actions so far."""
        return self.position.actions

    def history_str(self) -> str:
        """The actions so far as text."""
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        """The number of actions so far."""
        return len(self.position)

    def num_players(self) -> int:
        """Two."""
        return 2

    def num_distinct_actions(self) -> int:
        """Actions, legal or not."""
        return self._game.rules.actions

    def serialize(self) -> str:
        """The actions, one per line, which `SpielGame.deserialize_state` reads."""
        return "\n".join(str(action) for action in self.history())

    def __str__(self) -> str:
        return str(self.position)


def load_game(rules: RulesLike) -> SpielGame:
    """A game by its rules: a preset, or a text like `7x6:k=4,gravity`."""
    return SpielGame(rules)
