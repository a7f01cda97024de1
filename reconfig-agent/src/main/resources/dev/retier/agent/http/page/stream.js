// Server-sent events over fetch, so that a token can be sent with the request.

const SILENCE_MILLIS = 25_000; // the agent sends a comment every 10 s
const ENDED = 'the agent has ended the stream';
const STEADY_MILLIS = 5_000; // it ends each after some minutes, and is asked again at once
const WAITS_MILLIS = [250, 500, 1_000, 2_000, 5_000];

/** Takes text as it comes and calls `emit({ id, type, data })` for each whole event. */
export class EventParser {
  constructor(emit) {
    this.emit = emit;
    this.rest = '';
    this.clear();
  }

  clear() {
    this.type = 'message';
    this.id = undefined;
    this.data = [];
  }

  push(text) {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop();
    lines.forEach((line) => this.line(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  line(line) {
    if (line === '') {
      if (this.data.length > 0) this.emit({ id: this.id, type: this.type, data: this.data.join('\n') });
      this.clear();
      return;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.type = value;
    else if (field === 'id') this.id = value;
  }
}

/** The agent's stream, opened again whenever it ends, from the last event that was heard. */
export class Stream {
  /** `listener` has `opened(isResumed)`, `event(type, value)`, `lost(why, waitMillis)` and `denied(problem)`. */
  constructor(api, listener) {
    this.api = api;
    this.listener = listener;
    this.lastId = undefined;
    this.failures = 0;
  }

  /** Goes on until the agent asks for a token. */
  async run() {
    for (;;) {
      const opened = Date.now();
      const why = await this.once();
      if (why === undefined) return;
      if (why === ENDED && Date.now() - opened > STEADY_MILLIS) continue;
      const wait = WAITS_MILLIS[Math.min(this.failures++, WAITS_MILLIS.length - 1)];
      this.listener.lost(why, wait);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** One connection; says why it ended, or nothing when a token is wanted. */
  async once() {
    const abort = new AbortController();
    let watch = setTimeout(() => abort.abort(), SILENCE_MILLIS);
    try {
      const headers = this.lastId === undefined ? {} : { 'Last-Event-ID': this.lastId };
      const answer = await this.api.open('v1/events', { headers, signal: abort.signal });
      if (answer.problem) {
        if (answer.problem.status !== 401) return answer.problem.detail;
        this.listener.denied(answer.problem);
        return undefined;
      }
      this.failures = 0;
      this.listener.opened(this.lastId !== undefined);
      const parser = new EventParser((event) => this.heard(event));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return ENDED;
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), SILENCE_MILLIS);
        parser.push(value);
      }
    } catch (failure) {
      return abort.signal.aborted ? `no word for ${SILENCE_MILLIS / 1000} s` : 'the connection is gone';
    } finally {
      clearTimeout(watch);
    }
  }

  heard({ id, type, data }) {
    if (id !== undefined) this.lastId = id;
    this.listener.event(type, JSON.parse(data));
  }
}
