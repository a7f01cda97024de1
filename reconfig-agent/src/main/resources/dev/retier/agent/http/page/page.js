// The page of one agent: what comes from it goes into the model, and what is in the model is shown.

import { Api } from './api.js';
import { Commands } from './commands.js';
import { byId, element, keyed, setClass, setHidden, setText } from './dom.js';
import { age, clock, percent, rate, seconds, words } from './format.js';
import { Model, standing } from './model.js';
import { Sites } from './sites.js';
import { Stream } from './stream.js';
import { showCommands, showMoves } from './tables.js';

const SECOND_MILLIS = 1_000;
const AGE_MILLIS = 200;
const OLD_MILLIS = 3_000;

const api = new Api();
const model = new Model();
const commands = new Commands(api, model);
const sites = new Sites(byId('sites'), byId('rest'), openNode);
const dirty = new Set();
let connection = { kind: 'connecting', text: 'connecting' };
let shownNode;

/** Has that part shown anew before the next frame. */
function changed(part) {
  if (dirty.size === 0) requestAnimationFrame(show);
  dirty.add(part);
}

function show() {
  const now = Date.now();
  if (model.status && dirty.has('status')) {
    showFacts();
    sites.show(model, now);
    showNode();
  }
  if (dirty.has('moves')) showMoves(model, sites.filter);
  if (dirty.has('commands')) showCommands(model);
  if (dirty.has('caller')) showCaller();
  dirty.clear();
  showSeen();
}

function showFacts() {
  const { status } = model;
  document.title = `${status.cluster} · retier`;
  setText(byId('cluster'), status.cluster);
  const unknown = status.unknown_share_ratio;
  const facts = [
    { key: 'mode', text: `mode ${status.mode}`, kind: status.mode === 'act' ? '' : 'note' },
    status.paused_cluster && { key: 'cluster', text: pauseText('cluster', 'paused by an operator'), kind: 'warn' },
    status.paused_here && { key: 'here', text: pauseText('here', 'this agent is paused by an operator'), kind: 'warn' },
    { key: 'nodes', text: `${status.nodes.length} nodes`, kind: '' },
    {
      key: 'unknown',
      text: unknown > 0 ? `${percent(unknown)} unknown` : 'all known',
      kind: unknown > 0 ? 'warn' : '',
    },
    { key: 'epoch', text: `epoch ${status.epoch}`, kind: '' },
    model.caller && {
      key: 'caller',
      text: `you: ${model.caller.name || model.caller.role}, ${model.caller.role}`,
      kind: '',
    },
  ];
  keyed(byId('facts'), facts.filter(Boolean), {
    key: (fact) => fact.key,
    create: () => element('li'),
    update: (item, fact) => {
      setText(item, fact.text);
      setClass(item, fact.kind);
    },
  });
  setText(byId('pause'), status.paused_cluster ? 'Resume…' : 'Pause…');
}

function pauseText(scope, otherwise) {
  const told = model.pauses[scope];
  return told ? `${otherwise.replace('an operator', told.by)} since ${clock(Date.parse(told.at))}` : otherwise;
}

function showSeen() {
  const millis = Date.now() - model.receivedAt;
  setText(byId('seen'), model.status ? `seen by ${model.status.node} ${age(millis)} ago` : '');
  setClass(byId('seen'), model.status && millis > OLD_MILLIS ? 'old' : '');
  setText(byId('connection'), connection.text);
  setClass(byId('connection'), connection.kind);
  document.documentElement.classList.toggle('lost', connection.kind === 'gone');
}

function showCaller() {
  setHidden(byId('actions'), !model.mayCommand());
  setHidden(byId('node-actions'), !model.mayCommand());
}

function openNode(name) {
  shownNode = name;
  const roles = model.status.sites.flatMap((site) => site.tiers.map((tier) => `${site.site}/${tier.tier}`));
  const present = model.status.nodes.find((it) => it.node === name)?.role;
  const others = [...roles, 'spare'].filter((role) => role !== present);
  byId('move-to').replaceChildren(...others.map((role) => new Option(role)));
  byId('node-dialog').showModal();
  showNode();
}

function showNode() {
  const node = model.status.nodes.find((it) => it.node === shownNode);
  if (!node || !byId('node-dialog').open) return;
  const move = model.lastMoves().get(node.node);
  const at = standing(node, move);
  setText(byId('node-name'), node.node);
  const facts = {
    Role: node.role ?? 'never seen',
    Standing: [at.kind === 'moving' ? `moving from ${node.from}` : at.kind, at.why && words(at.why)]
      .filter(Boolean)
      .join(': '),
    Server: node.server ?? 'not known',
    Load: percent(node.utilisation_ratio),
    Requests: `${rate(node.requests_per_second)}, ${node.requests_in_service ?? '–'} in service`,
    'From the cache': percent(node.cache_share_ratio),
    Capacity:
      node.capacity_units_per_second === undefined ? '–' : `${Math.round(node.capacity_units_per_second)} units/s`,
    Reading: words(node.reading),
    Epoch: `${node.epoch ?? '–'}, file of stamp ${node.applied_stamp ?? '–'}`,
    'Cluster file': node.config_differs ? 'differs from this agent’s' : 'the same',
    'Last move': move ? told(move) : 'none known',
  };
  keyed(byId('node-facts'), Object.entries(facts), {
    key: ([name]) => name,
    create: ([name]) => {
      const row = element('div');
      row.append(element('dt', '', name), element('dd'));
      return row;
    },
    update: (row, [, text]) => setText(row.lastElementChild, text),
  });
  setHidden(byId('drain'), node.role === 'drained');
  setHidden(byId('undrain'), node.role !== 'drained');
}

function told(move) {
  const took = move.seconds === undefined ? '' : ` in ${seconds(move.seconds)}`;
  return `${clock(Date.parse(move.at))}: ${move.from} to ${move.to}, ${move.state}${took}`;
}

async function readMoves() {
  const { moves } = await api.read('v1/moves');
  moves.forEach((move) => model.takeMove(move));
  changed('moves');
}

async function readCommands() {
  const { commands: told } = await api.read('v1/commands');
  model.takeCommands(told);
  changed('commands');
  changed('status');
}

async function readCaller() {
  model.caller = await api.read('v1/caller');
  changed('caller');
  changed('status');
}

const EVENTS = {
  status: (status) => {
    model.takeStatus(status, Date.now());
    changed('status');
  },
  move: (move) => {
    model.takeMove(move, Date.now());
    changed('moves');
  },
  decision: (decision) => {
    model.takeDecision(decision);
    changed('status');
  },
  command: (told) => {
    model.takeCommands([told]);
    changed('commands');
    changed('status');
  },
  gap: () => {
    model.forgetMoves();
    changed('moves');
    readAll([readMoves, readCommands]);
  },
};

/** What the stream does not tell. What cannot be read now is read when the stream is open again. */
function readAll(reads) {
  Promise.all(reads.map((read) => read())).catch((failure) => {
    setConnection('gone', `not all could be read: ${failure.message}`);
  });
}

function setConnection(kind, text) {
  connection = { kind, text };
  changed('connection');
}

const stream = new Stream(api, {
  opened(isResumed) {
    setConnection('live', 'live');
    setHidden(byId('token-form'), true);
    readAll(isResumed ? [readCaller] : [readCaller, readMoves, readCommands]);
  },
  event: (type, value) => EVENTS[type]?.(value),
  lost(why, waitMillis) {
    model.lost();
    setConnection('gone', `${why}; tries again in ${age(waitMillis)}`);
  },
  denied(problem) {
    setConnection('gone', problem.title);
    model.caller = undefined;
    changed('caller');
    changed('status');
    if (problem.detail) setText(byId('token-why'), problem.detail);
    setHidden(byId('token-form'), false);
    byId('token').focus();
  },
});

byId('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  api.useToken(byId('token').value);
  byId('token').value = '';
  setHidden(byId('token-form'), true);
  stream.run();
});
byId('filter').addEventListener('input', (event) => {
  sites.useFilter(event.target.value);
  changed('status');
  changed('moves');
});
byId('filter-form').addEventListener('submit', (event) => event.preventDefault());
byId('pause').addEventListener('click', () =>
  commands.open({ command: model.status.paused_cluster ? 'resume' : 'pause', here: false }),
);
byId('undo').addEventListener('click', () => commands.open({ command: 'undo' }));
byId('move').addEventListener('click', () =>
  commandNode({ command: 'move', node: shownNode, to: byId('move-to').value }),
);
byId('drain').addEventListener('click', () => commandNode({ command: 'drain', node: shownNode }));
byId('undrain').addEventListener('click', () => commandNode({ command: 'undrain', node: shownNode }));
document
  .querySelectorAll('[data-close]')
  .forEach((button) => button.addEventListener('click', () => button.closest('dialog').close()));

function commandNode(command) {
  byId('node-dialog').close();
  commands.open(command);
}

setInterval(showSeen, AGE_MILLIS);
setInterval(() => sites.showCharts(model, Date.now()), SECOND_MILLIS);
stream.run();
