// Commands: what would be done is asked first and shown in the agent's words, then it is done, for the epoch seen.

import { Problem } from './api.js';
import { byId, element, setHidden, setText } from './dom.js';
import { command as named, seconds, step } from './format.js';
import { outcome } from './tables.js';

const MEANS = {
  move: 'By the lock, the rails and the journal of a decided move.',
  drain: 'Takes the node out of service and keeps it out until it is undrained.',
  undrain: 'Lets the drained node be used again, as a spare one.',
  undo: 'Takes the newest move back.',
  pause: 'No agent of the cluster decides on moves until resume; moves by hand go on. Now it would decide:',
  resume: 'The agents decide again, unless one is paused by itself. Now they would decide:',
};

export class Commands {
  constructor(api, model) {
    this.api = api;
    this.model = model;
    this.dialog = byId('command-dialog');
    this.asked = 0;
    byId('force').addEventListener('change', () => this.tryOut());
    byId('confirm').addEventListener('click', () => this.carryOut());
  }

  /** Opens the dialog for a command, and asks what it would do. */
  open(command) {
    this.command = command;
    setText(byId('command-title'), named(command));
    setText(byId('command-means'), MEANS[command.command]);
    byId('force').checked = false;
    setHidden(byId('force-row'), !this.hasDryRun());
    if (!this.dialog.open) this.dialog.showModal();
    this.tryOut();
  }

  /** Pauses and their ends have none: shown is what would be decided. */
  hasDryRun() {
    return !['pause', 'resume'].includes(this.command.command);
  }

  wanted() {
    return this.hasDryRun() ? { ...this.command, force: byId('force').checked } : this.command;
  }

  async tryOut() {
    const asked = ++this.asked;
    this.epoch = this.model.status.epoch;
    byId('confirm').disabled = true;
    byId('answer').replaceChildren(element('p', 'quiet', 'Asking the agent…'));
    const question = this.hasDryRun() ? { ...this.wanted(), dry_run: true } : { command: 'plan' };
    const answer = await this.ask(question);
    if (asked !== this.asked) return;
    byId('answer').replaceChildren(...lines(answer));
    const isPossible = this.hasDryRun() ? answer.outcome === 'changes' : ['changes', 'done'].includes(answer.outcome);
    byId('confirm').disabled = !isPossible;
    if (isPossible) byId('confirm').focus();
  }

  async carryOut() {
    // A pause is what stops a cell that moves all the time: it may not be refused for that.
    const command = this.hasDryRun() ? { ...this.wanted(), if_epoch: this.epoch } : this.wanted();
    this.dialog.close();
    const shown = element('div', 'outcome running');
    const text = element('p', '', `${named(command)}: under way…`);
    shown.append(text);
    byId('outcomes').prepend(shown);
    const answer = await this.ask(command);
    shown.className = `outcome ${answer.outcome}`;
    text.remove();
    const took = answer.seconds === undefined ? '' : ` in ${seconds(answer.seconds)}`;
    const title = element('p', 'title', `${named(command)}: ${outcome(answer.outcome)}${took}`);
    const dismiss = element('button', '', 'Dismiss');
    dismiss.type = 'button';
    dismiss.setAttribute('aria-label', `Dismiss: ${title.textContent}`);
    dismiss.addEventListener('click', () => shown.remove());
    shown.append(title, ...lines(answer).slice(1), dismiss);
  }

  /** The agent's answer, or why there is none in the form of one. */
  async ask(command) {
    try {
      return await this.api.command(command);
    } catch (failure) {
      return unanswered(failure);
    }
  }
}

const CONFLICT = 409;

function unanswered(failure) {
  if (!(failure instanceof Problem)) {
    return { outcome: 'failed', detail: 'the connection is gone: what became of it is in the moves' };
  }
  const { status, title, message, remedy } = failure;
  if (status === CONFLICT) {
    return { outcome: 'refused', detail: `${message}; look at what has changed, and give the command again` };
  }
  return { outcome: 'failed', detail: [title, message, remedy].filter(Boolean).join('; ') };
}

/** An answer in the agent's words: the outcome, what moves, the sentence, and its figures. */
function lines(answer) {
  const move = answer.node && answer.from && answer.to ? [step(answer)] : [];
  const sites = (answer.sites ?? []).map(planned);
  const paused = answer.paused_cluster === undefined ? [] : [pauseLine(answer)];
  const said = [...move, ...sites, ...paused, answer.sentence, answer.detail].filter(Boolean);
  return [
    element('p', `word ${answer.outcome}`, outcome(answer.outcome)),
    ...said.map((line) => element('p', '', line)),
  ];
}

function planned(site) {
  const waves = (site.waves ?? []).map((wave) => wave.map(step).join(' and ')).join('; then ');
  return `${site.site}: ${site.decision === 'move' ? `moves ${waves}` : 'stays'}, ${site.sentence}`;
}

function pauseLine({ paused_cluster: cluster, paused_here: here }) {
  const scopes = [cluster && 'the cluster', here && 'this agent'].filter(Boolean);
  return scopes.length ? `Paused: ${scopes.join(' and ')}.` : 'Nothing is paused.';
}
