// Requests to the agent whose page this is. Every path is relative to the page, whatever stands before it.

const POLL_MILLIS = 300;

/** Asks the agent, with the token once there is one; keeps it in memory alone. */
export class Api {
  #token;

  useToken(token) {
    this.#token = token;
  }

  /** The answer as it is, or `{ problem }` with status, title, detail and remedy. Throws when there is no answer. */
  async open(path, { headers = {}, ...more } = {}) {
    const authorization = this.#token ? { Authorization: `Bearer ${this.#token}` } : {};
    const answer = await fetch(path, { cache: 'no-store', headers: { ...headers, ...authorization }, ...more });
    return answer.ok ? answer : { problem: await problem(answer) };
  }

  /** A read of JSON; throws a Problem. */
  async read(path) {
    const answer = await this.open(path);
    if (answer.problem) throw new Problem(answer.problem);
    return answer.json();
  }

  /**
   * Has the agent carry out a command, and waits for its end. Throws a Problem, and what
   * fetch throws when no answer came.
   */
  async command(body) {
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((it) => it.toString(16).padStart(2, '0')).join('');
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    let answer = await this.open('v1/commands', { method: 'POST', headers, body: JSON.stringify(body) });
    let place;
    while (!answer.problem && answer.status === 202) {
      place = answer.headers.has('Location') ? new URL(answer.headers.get('Location'), answer.url) : place;
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
      answer = await this.open(place);
    }
    if (answer.problem) throw new Problem(answer.problem);
    return answer.json();
  }
}

/** What the agent, or what stands before it, has against a request. */
export class Problem extends Error {
  constructor({ status, title, detail, remedy }) {
    super(detail);
    this.status = status;
    this.title = title;
    this.remedy = remedy;
  }
}

async function problem(answer) {
  const told = { status: answer.status, title: answer.statusText || `status ${answer.status}`, detail: '', remedy: '' };
  const type = answer.headers.get('Content-Type') ?? '';
  return type.startsWith('application/problem+json') ? { ...told, ...(await answer.json()) } : told;
}
