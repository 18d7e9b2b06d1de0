"""An environment that follows the PettingZoo AEC interface. It works without PettingZoo and Gymnasium and uses their
classes if they are installed.

>>> environment = env("connect4")
>>> environment.reset(seed=1)
>>> for agent in environment.agent_iter():
...     observation, reward, termination, truncation, info = environment.last()
...     done = termination or truncation
...     action = None if done else environment.action_space(agent).sample(observation["action_mask"])
...     environment.step(action)
>>> environment.agents
[]
"""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._library import BadInput
from .game import PLANES, Game
from .rules import RulesLike, rules_of

try:
    from pettingzoo import AECEnv as _Base  # type: ignore
except ImportError:
    _Base = object


class _Space:
    """The part of a Gymnasium space that programs of this kind use."""

    def __init__(self, shape: Tuple[int, ...], dtype: Any, high: int) -> None:
        self.shape, self.dtype, self.low, self.high = shape, np.dtype(dtype), 0, high

    def contains(self, value: Any) -> bool:
        """Whether a value belongs to the space."""
        return (isinstance(value, np.ndarray) and value.shape == self.shape and value.dtype == self.dtype
                and bool((value <= self.high).all()))


class _Discrete(_Space):
    def __init__(self, n: int) -> None:
        super().__init__((), np.int64, n - 1)
        self.n = n
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Sets the seed of `sample`."""
        self._random = np.random.default_rng(seed)

    def sample(self, mask: Optional[np.ndarray] = None) -> int:
        """A random action, of those that the mask allows."""
        actions = np.arange(self.n) if mask is None else np.flatnonzero(mask)
        return int(self._random.choice(actions))

    def contains(self, value: Any) -> bool:
        return isinstance(value, (int, np.integer)) and 0 <= value < self.n


def _spaces(shape: Tuple[int, ...], actions: int) -> Tuple[Any, Any]:
    """The spaces of observations and actions."""
    try:
        from gymnasium import spaces  # type: ignore # pylint: disable=import-outside-toplevel
    except ImportError:
        return ({"observation": _Space(shape, np.uint8, 255), "action_mask": _Space((actions,), np.int8, 1)},
                _Discrete(actions))
    return (spaces.Dict({"observation": spaces.Box(0, 255, shape, np.uint8),
                         "action_mask": spaces.Box(0, 1, (actions,), np.int8)}), spaces.Discrete(actions))


class KrowEnv(_Base):
    """A game as an AEC environment with the agents `player_0`, who begins, and `player_1`.

    An action places one stone, so an agent acts p times in a row. An observation is a dict: `observation` holds the
    planes [3, height, width] of `Game.observation` as the observing agent sees them, `action_mask` the legal actions
    (all 0 while the other agent acts). The winner's reward is 1, the loser's -1. An illegal action raises BadInput.
    """

    metadata = {"name": "krow_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules: RulesLike = "connect4", render_mode: Optional[str] = None) -> None:
        if render_mode not in (None, "ansi"):
            raise BadInput(f"the render mode is None or 'ansi', not {render_mode!r}")
        self.rules = rules_of(rules)
        self.render_mode = render_mode
        self.possible_agents: List[str] = ["player_0", "player_1"]
        shape = (PLANES, self.rules.height, self.rules.width)
        spaces = {agent: _spaces(shape, self.rules.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: pair[0] for agent, pair in spaces.items()}
        self.action_spaces = {agent: pair[1] for agent, pair in spaces.items()}
        self.game = Game(self.rules)
        self.agents: List[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: Dict[str, float] = {}
        self._cumulative_rewards: Dict[str, float] = {}
        self.terminations: Dict[str, bool] = {}
        self.truncations: Dict[str, bool] = {}
        self.infos: Dict[str, dict] = {}

    def observation_space(self, agent: str) -> Any:
        """The space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        """Begins a game. The seed is that of the random actions of the action spaces."""
        if seed is not None:
            for number, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + number)
        self.game = Game(self.rules)
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[self.game.side]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        """What an agent sees."""
        planes, mask = self.game.observation(), self.game.legal_mask()
        if self.possible_agents.index(agent) != self.game.side:
            planes[[0, 1]] = planes[[1, 0]]
            mask[:] = False
        return {"observation": planes, "action_mask": mask.astype(np.int8)}

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, dict]:
        """Observation, reward since its last action, termination, truncation and info of the agent that acts."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action: Optional[int]) -> None:
        """Places a stone of the agent that acts. After the end of the game, each agent takes one step with None."""
        agent = self.agent_selection
        if not self.agents:
            raise BadInput("the game is over; call reset")
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise BadInput("an action is needed")
        self.game.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.game.is_over:
            winner = self.game.winner
            for number, name in enumerate(self.possible_agents):
                self.rewards[name] = 0.0 if winner is None else 1.0 if number == winner else -1.0
                self.terminations[name] = True
        for name in self.agents:
            self._cumulative_rewards[name] += self.rewards[name]
        self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent) if self.game.is_over
                                                    else self.game.side]

    def _leave(self, agent: str, action: Optional[int]) -> None:
        if action is not None:
            raise BadInput("the game is over: the only valid action is None")
        self.agents.remove(agent)
        for values in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del values[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter: int = 2 ** 63) -> Iterator[str]:
        """The agent that acts, until the game is over for all."""
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def state(self) -> np.ndarray:
        """What the agent to move sees of the board."""
        return self.game.observation()

    def render(self) -> Optional[str]:
        """The board as text, with `render_mode="ansi"`."""
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    @property
    def num_agents(self) -> int:
        """Agents that still take part."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """All agents."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> KrowEnv:
        """The environment itself."""
        return self

    def __str__(self) -> str:
        return f"krow_v0({self.rules})"


def env(rules: RulesLike = "connect4", render_mode: Optional[str] = None) -> KrowEnv:
    """An environment for games of these rules."""
    return KrowEnv(rules, render_mode)
