// The moves and the operators' commands, the newest first.

import { byId, element, keyed, setAttribute, setClass, setHidden, setText } from './dom.js';
import { clock, command, phase, seconds, words } from './format.js';

const MOST_ROWS = 100;
const STATES = { ordered: 'moving', done: 'done', undone: 'undone' };

export function showMoves(model, filter) {
  const isWanted = (move) =>
    `${move.node} ${move.from} ${move.to} ${STATES[move.state]}`.toLowerCase().includes(filter);
  const moves = model.newestMoves().filter(isWanted).slice(0, MOST_ROWS);
  setHidden(byId('no-moves'), moves.length > 0);
  keyed(byId('moves').tBodies[0], moves, {
    key: (move) => move.key,
    create: () => {
      const row = element('tr');
      row.append(...['', '', '', '', '', 'number', 'why'].map((name) => element('td', name)));
      return row;
    },
    update: (row, move) => {
      const at = Date.parse(move.at);
      setClass(row, move.state);
      setAttribute(row.cells[0], 'title', `${move.at}, epoch ${move.epoch}`);
      const cells = [
        clock(at),
        move.node,
        move.from,
        move.to,
        STATES[move.state] ?? move.state,
        seconds(took(move)),
        story(move),
      ];
      cells.forEach((text, cell) => setText(row.cells[cell], text));
    },
  });
}

const took = (move) => move.seconds ?? Object.values(move.phases_seconds ?? {}).at(-1);

/** What is known of how a move went. */
function story(move) {
  const undone = move.rolled_back_because ? [words(move.rolled_back_because), move.rolled_back_detail] : [];
  const phases = Object.entries(move.phases_seconds ?? {})
    .filter(([name]) => name !== 'ordered')
    .map(([name, at]) => `${phase(name)} ${at.toFixed(2)}`)
    .join(' · ');
  const held = move.requests_held > 0 ? `${move.requests_held} requests held` : '';
  return [undone.filter(Boolean).join(': '), phases, held].filter(Boolean).join('; ');
}

const OUTCOMES = {
  done: 'done',
  changes: 'would be done',
  refused: 'refused',
  no_lock: 'no lock',
  rolled_back: 'rolled back',
  timed_out: 'timed out',
  bad_request: 'not understood',
  failed: 'failed',
};

export const outcome = (word) => OUTCOMES[word] ?? words(word);

export function showCommands(model) {
  setHidden(byId('no-commands'), model.commands.length > 0);
  keyed(byId('commands'), model.commands, {
    key: (it) => it.id,
    create: (it) => {
      const row = element('li', it.outcome);
      const time = element('time', '', clock(Date.parse(it.at)));
      time.dateTime = it.at;
      const tried = it.command.dry_run ? ' (asked only)' : '';
      row.append(
        time,
        element('span', 'what', `${command(it.command)}${tried}`),
        element('span', 'who', `by ${it.by}${it.from ? ` from ${it.from}` : ''}`),
        element('span', 'outcome', [outcome(it.outcome), it.detail].filter(Boolean).join(': ')),
      );
      return row;
    },
    update: () => {},
  });
}
