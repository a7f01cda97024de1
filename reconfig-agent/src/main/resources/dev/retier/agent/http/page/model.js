// All that this page knows, from what the agent has told it. Nothing here touches the document.

export const WINDOW_MILLIS = 600_000;
const SAMPLE_MILLIS = 1_000;
const MOST_MOVES = 1_000;
const MOST_COMMANDS = 200;

/** The columns of a site's charts, a sample each second, ten minutes long. */
const COLUMNS = ['at', 'proxy', 'app', 'threshold', 'delivered', 'guarantee', 'broken'];

class SiteHistory {
  constructor() {
    this.columns = Object.fromEntries(COLUMNS.map((name) => [name, []]));
    this.sums = undefined;
  }

  /** Takes one view's figures in; a sample is their mean over its second. */
  add(now, figures) {
    if (this.sums && now - this.sums.since >= SAMPLE_MILLIS) this.keep();
    this.sums ??= { since: now, values: {} };
    for (const [name, value] of Object.entries(figures)) {
      if (value === undefined) continue;
      const sum = (this.sums.values[name] ??= { total: 0, count: 0 });
      sum.total += value;
      sum.count += 1;
    }
  }

  /** Nothing was heard until now: lines are broken here. */
  gap() {
    if (!this.sums) return;
    this.keep();
    this.push(this.columns.at.at(-1) + SAMPLE_MILLIS / 1000, {});
  }

  keep() {
    const { since, values } = this.sums;
    this.sums = undefined;
    const last = this.columns.at.at(-1) ?? 0;
    this.push(Math.max(since / 1000, last + 0.001), values);
  }

  push(at, values) {
    const { columns } = this;
    columns.at.push(at);
    for (const name of COLUMNS.slice(1))
      columns[name].push(values[name] ? values[name].total / values[name].count : null);
    while (columns.at.length > 2 && columns.at[0] < at - WINDOW_MILLIS / 1000) {
      for (const name of COLUMNS) columns[name].shift();
    }
  }
}

export class Model {
  constructor() {
    this.status = undefined;
    this.receivedAt = 0;
    this.caller = undefined;
    this.commands = [];
    this.moves = new Map();
    this.decisions = new Map();
    this.histories = new Map();
    this.pauses = { cluster: undefined, here: undefined };
  }

  takeStatus(status, now) {
    this.status = status;
    this.receivedAt = now;
    for (const decision of status.decisions) this.decisions.set(decision.site, decision);
    for (const site of status.sites) this.history(site.site).add(now, figures(site));
    for (const site of this.histories.keys()) {
      if (!status.sites.some((it) => it.site === site)) this.histories.delete(site);
    }
  }

  history(site) {
    if (!this.histories.has(site)) this.histories.set(site, new SiteHistory());
    return this.histories.get(site);
  }

  /** The stream is gone: what comes next does not follow what was there. */
  lost() {
    for (const history of this.histories.values()) history.gap();
  }

  /** A move as it stands; an end is not taken back by an older word of its begin. */
  takeMove(move, seenAt = Date.parse(move.at)) {
    const key = `${move.epoch}/${move.node}`;
    const known = this.moves.get(key);
    if (known && known.state !== 'ordered' && move.state === 'ordered') return;
    this.moves.set(key, { ...move, key, seenAt: known?.seenAt ?? seenAt });
    while (this.moves.size > MOST_MOVES) this.moves.delete(this.moves.keys().next().value);
  }

  /** Moves were missed, or are those of another life of the agent: what is known is not the rest of what comes. */
  forgetMoves() {
    this.moves.clear();
  }

  takeDecision(decision) {
    this.decisions.set(decision.site, decision);
  }

  /** Commands that have ended, in any order; those that are known already are taken once. */
  takeCommands(told) {
    const known = new Map([...this.commands, ...told].map((it) => [it.id, it]));
    const endedAt = (it) => Date.parse(it.ended_at);
    this.commands = [...known.values()].sort((a, b) => endedAt(b) - endedAt(a)).slice(0, MOST_COMMANDS);
    this.pauses = { cluster: this.lastPause(false), here: this.lastPause(true) };
  }

  /** The pause that no resume of its scope has followed. */
  lastPause(isHere) {
    const last = this.commands.find(
      ({ outcome, command: { command, here } }) =>
        outcome === 'done' && ['pause', 'resume'].includes(command) && Boolean(here) === isHere,
    );
    return last?.command.command === 'pause' ? last : undefined;
  }

  /** The newest first. */
  newestMoves() {
    return [...this.moves.values()].sort((a, b) => b.epoch - a.epoch || Date.parse(b.at) - Date.parse(a.at));
  }

  /** By node the newest move. */
  lastMoves() {
    const last = new Map();
    for (const move of this.moves.values()) {
      if (!(last.get(move.node)?.epoch > move.epoch)) last.set(move.node, move);
    }
    return last;
  }

  mayCommand() {
    return this.caller?.may_command === true;
  }
}

function figures(site) {
  const tier = (name) => site.tiers.find((it) => it.tier === name);
  return {
    proxy: tier('proxy')?.utilisation_ratio,
    app: tier('app')?.utilisation_ratio,
    threshold: tier('proxy')?.take_threshold_ratio,
    delivered: site.delivered_requests_per_second,
    guarantee: site.guarantee_requests_per_second,
    broken: site.guarantee_kept === undefined ? undefined : Number(!site.guarantee_kept),
  };
}

/**
 * How a node stands: its `kind` (`serving`, `moving`, `idle` for spare and drained ones, `unsure`, `out`), its `phase`
 * while it moves, and `why` for those that are out or of which too little is known.
 */
export function standing(node, move) {
  if (node.phase === 'ordered') {
    const isThis = move?.state === 'ordered' && move.epoch === node.epoch;
    return { kind: 'moving', phase: (isThis && Object.keys(move.phases_seconds ?? {}).at(-1)) || 'ordered' };
  }
  if (!node.serving) return { kind: 'out', why: node.server ? `server ${node.server}` : node.reading };
  if (node.reading !== 'known') return { kind: 'unsure', why: [node.reading, node.server].filter(Boolean).join(', ') };
  if (node.server && node.server !== 'up') return { kind: 'unsure', why: `server ${node.server}` };
  return { kind: node.role === 'spare' || node.role === 'drained' ? 'idle' : 'serving' };
}
