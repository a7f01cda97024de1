// Sites with their tiers, a tile for each node, and the decision of each site.

import { element, keyed, setAttribute, setClass, setHidden, setText, texts } from './dom.js';
import { age, gains, percent, phase, rate, seconds, step, words } from './format.js';
import { standing } from './model.js';
import { SiteCharts } from './charts.js';

const MANY_NODES = 40; // from here on tiles are squares
const TIER_NAMES = { proxy: 'Proxies', app: 'Apps' };
const SYMBOLS = { serving: '', moving: '→', idle: '', unsure: '?', out: '×' };
const KIND_WORDS = { moving: 'moving', unsure: 'unsure', out: 'left out' };

/** Draws all of them into `root`, and the nodes that serve none into `rest`. */
export class Sites {
  constructor(root, rest, onNode) {
    this.root = root;
    this.rest = rest;
    this.onNode = onNode;
    this.tiles = new Map();
    this.charts = new Map();
    this.filter = '';
  }

  show(model, now) {
    const { status } = model;
    const focused = document.activeElement;
    const last = model.lastMoves();
    const nodes = status.nodes.map((node) => described(node, last.get(node.node), now));
    const leaving = this.leavingTiles(nodes);
    setClass(document.body, nodes.length > MANY_NODES ? 'dense' : '');
    const groups = Map.groupBy(nodes, (it) => it.place);
    keyed(this.root, status.sites, {
      key: (site) => site.site,
      create: (site) => this.newSite(site),
      update: (section, site) => this.updateSite(section, site, groups, model),
    });
    for (const [site, charts] of this.charts) {
      if (!status.sites.some((it) => it.site === site)) {
        charts.close();
        this.charts.delete(site);
      }
    }
    this.updateRest(groups, status.sites);
    const names = new Set(nodes.map((it) => it.node.node));
    for (const name of this.tiles.keys()) if (!names.has(name)) this.tiles.delete(name);
    if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
    glide(leaving);
  }

  showCharts(model, now) {
    for (const [site, charts] of this.charts) charts.show(model.history(site).columns, model, now);
  }

  useFilter(text) {
    this.filter = text.trim().toLowerCase();
  }

  /** Tiles that are to go to another place, with where they are now. */
  leavingTiles(nodes) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return [];
    return nodes
      .map((it) => ({ tile: this.tiles.get(it.node.node), place: it.place }))
      .filter(({ tile, place }) => tile?.isConnected && tile.dataset.place !== place)
      .map(({ tile }) => ({ tile, from: tile.getBoundingClientRect() }));
  }

  newSite(site) {
    const section = element('section', 'site');
    const head = element('div', 'site-head');
    const title = element('h2', '', site.site);
    title.id = `site-${site.site}`;
    section.setAttribute('aria-labelledby', title.id);
    head.append(
      title,
      element('span', 'badge priority'),
      element('span', 'delivered'),
      element('span', 'badge broken', 'guarantee broken'),
    );
    const tiers = element('div', 'tiers');
    const charts = element('div', 'charts');
    this.charts.set(site.site, new SiteCharts(charts, site.site));
    const body = element('div', 'site-body');
    body.append(tiers, charts);
    section.append(head, body, newDecision());
    return section;
  }

  updateSite(section, site, groups, model) {
    const [head, body, decision] = section.children;
    setText(head.children[1], `priority ${site.priority}`);
    const { delivered_requests_per_second: delivered, guarantee_requests_per_second: guarantee } = site;
    const promise = guarantee === undefined ? '' : ` of ${rate(guarantee)} guaranteed`;
    setText(head.children[2], delivered === undefined ? '' : `delivers ${rate(delivered)}${promise}`);
    setHidden(head.children[3], site.guarantee_kept !== false);
    keyed(body.firstElementChild, site.tiers, {
      key: (tier) => tier.tier,
      create: () => newTier(),
      update: (row, tier) => this.updateTier(row, tier, groups.get(`${site.site}/${tier.tier}`) ?? []),
    });
    updateDecision(decision, model.decisions.get(site.site));
  }

  updateTier(row, tier, nodes) {
    const [head, tiles] = row.children;
    setText(head.children[0], TIER_NAMES[tier.tier] ?? tier.tier);
    setText(
      head.children[1],
      tier.utilisation_ratio === undefined ? 'no load known' : `${percent(tier.utilisation_ratio)} used`,
    );
    const isPressed = tier.pressed_seconds > 0;
    setHidden(head.children[2], !isPressed);
    setText(head.children[2], isPressed ? `pressed ${seconds(tier.pressed_seconds)}` : '');
    const arriving = nodes.filter((it) => it.standing.kind === 'moving').length;
    const counted = `${nodes.length - arriving} ${nodes.length - arriving === 1 ? 'node' : 'nodes'}`;
    setText(head.children[3], `${counted}${arriving ? ` + ${arriving} arriving` : ''}, ${tier.min} to ${tier.max}`);
    this.updateTiles(tiles, nodes);
  }

  updateTiles(list, nodes) {
    keyed(list, nodes, {
      key: (it) => it.node.node,
      create: (it) => this.tile(it.node.node),
      update: (tile, it) => this.updateTile(tile, it),
    });
  }

  tile(name) {
    if (!this.tiles.has(name)) {
      const tile = element('button', 'tile');
      tile.type = 'button';
      tile.dataset.node = name;
      tile.append(
        element('span', 'name', name),
        element('span', 'symbol'),
        bar(),
        element('span', 'figures'),
        element('span', 'state'),
      );
      tile.addEventListener('click', () => this.onNode(name));
      this.tiles.set(name, tile);
    }
    return this.tiles.get(name);
  }

  updateTile(tile, { node, standing: at, state, place, label }) {
    const [, symbol, load, figures, stateText] = tile.children;
    const level = node.utilisation_ratio === undefined ? 'none' : Math.min(9, Math.floor(node.utilisation_ratio * 10));
    setClass(tile, `tile ${at.kind} load-${level}`);
    if (tile.dataset.place !== place) tile.dataset.place = place;
    setText(symbol, SYMBOLS[at.kind]);
    setAttribute(load.firstElementChild, 'width', `${Math.round((node.utilisation_ratio ?? 0) * 100)}%`);
    setText(figures, `${percent(node.utilisation_ratio)} · ${rate(node.requests_per_second)}`);
    setText(stateText, state);
    setAttribute(tile, 'aria-label', label);
    setAttribute(tile, 'title', label);
    setHidden(tile, this.filter !== '' && !label.toLowerCase().includes(this.filter));
  }

  updateRest(groups, sites) {
    const served = new Set(sites.flatMap((site) => site.tiers.map((tier) => `${site.site}/${tier.tier}`)));
    const others = [...new Set(['spare', 'drained', ...groups.keys()])].filter(
      (place) => !served.has(place) && groups.has(place),
    );
    setHidden(this.rest, others.length === 0);
    keyed(this.rest, others, {
      key: (place) => place,
      create: () => newTier(),
      update: (row, place) => {
        setText(
          row.firstElementChild.children[0],
          place === 'spare' ? 'Spare' : place === 'drained' ? 'Drained' : 'Never seen',
        );
        setText(row.firstElementChild.children[3], `${groups.get(place).length}`);
        setHidden(row.firstElementChild.children[2], true);
        this.updateTiles(row.children[1], groups.get(place));
      },
    });
  }
}

/** All that a tile says of a node. */
function described(node, move, now) {
  const at = standing(node, move);
  const place = node.role ?? 'unseen';
  const state = stateOf(node, at, move, now);
  const load = node.utilisation_ratio === undefined ? 'load unknown' : `load ${percent(node.utilisation_ratio)}`;
  const label = [node.node, node.role ?? 'never seen', load, rate(node.requests_per_second), state].join(', ');
  return { node, standing: at, place, state, label };
}

function stateOf(node, at, move, now) {
  if (at.kind === 'moving') return `from ${node.from}: ${phase(at.phase)}`;
  if (at.why) return `${KIND_WORDS[at.kind]}: ${words(at.why)}`;
  if (node.config_differs) return 'another cluster file';
  if (!move) return '';
  const ago = age(Math.max(0, now - move.seenAt));
  return move.state === 'undone' ? `undone ${ago} ago` : `moved ${ago} ago`;
}

function newTier() {
  const row = element('div', 'tier');
  const head = element('div', 'tier-head');
  head.append(element('h3'), element('span', 'used'), element('span', 'badge pressed'), element('span', 'bounds'));
  row.append(head, element('div', 'tiles'));
  return row;
}

const SVG = 'http://www.w3.org/2000/svg';

function bar() {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'bar');
  svg.setAttribute('aria-hidden', 'true');
  const rect = document.createElementNS(SVG, 'rect');
  rect.setAttribute('height', '100%');
  svg.append(rect);
  return svg;
}

function newDecision() {
  const box = element('details', 'decision');
  const summary = element('summary');
  summary.append(element('span', 'verdict'), element('span', 'sentence'));
  box.append(summary, element('p', 'detail'), element('p', 'would'), element('div', 'values'));
  return box;
}

function updateDecision(box, decision) {
  setHidden(box, decision === undefined);
  if (!decision) return;
  const [summary, detail, would, values] = box.children;
  const isMove = decision.decision === 'move';
  setText(summary.children[0], isMove ? 'moves' : 'stays');
  setClass(summary.children[0], `badge verdict ${isMove ? 'moves' : 'stays'}`);
  setText(summary.children[1], decision.sentence);
  setText(detail, decision.detail);
  const waves = decision.waves ?? decision.would ?? [];
  const plan = waves.map((wave) => wave.map(step).join(' and ')).join('; then ');
  setHidden(would, plan === '');
  setText(would, isMove ? `Orders ${plan}.` : `Would order ${plan}; waits, as ${decision.sentence}.`);
  keyed(values, decision.by_value ?? [], {
    key: (value) => value.moves.map(step).join(),
    create: () => element('ul', 'value'),
    update: (list, value) => texts(list, 'li', valueLines(value)),
  });
}

/** A change with its terms, in the words of `retier explain`. */
function valueLines(value) {
  const verdict = value.worth_it ? 'worth it' : `not worth it: ${value.why_not_sentence}`;
  return [
    `${value.moves.map(step).join(', ')}: ${verdict}`,
    `${value.stands_sentence}: ${gains(value.gains)} (more than ${value.requests_must_exceed.toFixed(2)} needed)`,
    `if this load lasted for ever: ${gains(value.gains_if_it_lasts)}`,
  ];
}

/** Lets tiles that have another place now go there from where they were. */
function glide(leaving) {
  for (const { tile, from } of leaving) {
    const to = tile.getBoundingClientRect();
    const moved = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    tile.animate([{ transform: moved }, { transform: 'none' }], { duration: 600, easing: 'ease-in-out' });
  }
}
