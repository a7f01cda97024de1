// Numbers, times and names as people read them. Nothing here touches the document.

export function percent(ratio) {
  if (ratio === undefined) return '–';
  return ratio > 0 && ratio < 0.01 ? `${(ratio * 100).toFixed(1)} %` : `${Math.round(ratio * 100)} %`;
}

export function rate(perSecond) {
  if (perSecond === undefined) return '–';
  return perSecond >= 10_000
    ? `${(perSecond / 1000).toFixed(1)} k/s`
    : `${perSecond >= 100 ? Math.round(perSecond) : round1(perSecond)}/s`;
}

const round1 = (number) => Math.round(number * 10) / 10;

export function seconds(value) {
  if (value === undefined) return '';
  if (value < 10) return `${value.toFixed(2)} s`;
  return value < 120 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function age(millis) {
  if (millis < 10_000) return `${(millis / 1000).toFixed(1)} s`;
  if (millis < 120_000) return `${Math.round(millis / 1000)} s`;
  return millis < 7_200_000 ? `${Math.round(millis / 60_000)} min` : `${Math.round(millis / 3_600_000)} h`;
}

const two = (number) => String(number).padStart(2, '0');

/** The time of day of a moment, with the date when that is another day than today's. */
export function clock(millis) {
  const at = new Date(millis);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

const PHASES = {
  ordered: 'ordered',
  upstream_proven: 'upstream',
  drained: 'drained',
  switching: 'switching',
  switched: 'switched',
  proven: 'proven',
  active: 'active',
  rolled_back: 'rolled back',
};

export const phase = (word) => PHASES[word] ?? word;

/** `reason_in_words` or `REASON` for people. */
export const words = (name) => (name ?? '').toLowerCase().replaceAll('_', ' ');

const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** The terms of what a change gains, in the order of their weight. */
export function gains(of) {
  const promised = Object.entries(of.promised ?? {}).map(([site, gain]) => `promise of ${site} ${signed(gain)}`);
  return [`missing members ${signed(of.missing_members)}`, ...promised, `requests ${signed(of.requests)}`].join(', ');
}

export const step = (move) => `${move.node} from ${move.from} to ${move.to}`;

const COMMANDS = {
  move: (it) => `Move ${it.node} to ${it.to}`,
  drain: (it) => `Drain ${it.node}`,
  undrain: (it) => `Undrain ${it.node}${it.to ? ` to ${it.to}` : ''}`,
  undo: () => 'Undo the newest move',
  repair: (it) => `Repair ${it.node}`,
  plan: () => 'Say what would be decided',
  diff: () => 'Compare the file on disk',
  pause: (it) => (it.here ? 'Pause this agent’s decisions' : 'Pause the decisions of the cluster'),
  resume: (it) => (it.here ? 'Resume this agent’s decisions' : 'Resume the decisions of the cluster'),
};

/** What a command asks for. */
export function command(it) {
  const name = (COMMANDS[it.command] ?? ((other) => words(other.command)))(it);
  return it.force ? `${name}, forced` : name;
}
