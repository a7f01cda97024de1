// The last ten minutes of a site: how busy its tiers are, and what it delivers.

import { element, setAttribute, setText } from './dom.js';
import { percent, rate } from './format.js';
import { WINDOW_MILLIS } from './model.js';

const HEIGHT = 108; // as .canvas has
const AXIS_WIDTH = 46;
const MARK_HEIGHT = 12;
const dark = matchMedia('(prefers-color-scheme: dark)');

export class SiteCharts {
  constructor(root, site) {
    this.site = site;
    this.moves = [];
    this.columns = undefined;
    this.used = new Chart(root, {
      title: 'Used',
      lines: [
        { name: 'proxies', column: 'proxy', colour: '--proxy', text: percent },
        { name: 'apps', column: 'app', colour: '--app', dash: [7, 3], text: percent },
        { name: 'takes above', column: 'threshold', colour: '--bad', dash: [2, 4], text: percent },
      ],
      tick: percent,
      range: () => [0, 1],
      marks: () => this.moves,
    });
    this.delivered = new Chart(root, {
      title: 'Delivered',
      lines: [
        { name: 'delivered', column: 'delivered', colour: '--proxy', text: rate },
        { name: 'guaranteed', column: 'guarantee', colour: '--bad', dash: [2, 4], text: rate },
      ],
      tick: (value) => (value >= 1000 ? `${value / 1000} k` : `${value}`),
      range: (u, low, high) => [0, Math.max(1, (high ?? 0) * 1.1)],
      marks: () => this.moves,
      shaded: () => this.columns?.broken ?? [],
    });
  }

  show(columns, model, now) {
    this.columns = columns;
    const begin = now - WINDOW_MILLIS;
    this.moves = [...model.moves.values()]
      .filter((move) => move.seenAt > begin && [move.from, move.to].some((role) => role.startsWith(`${this.site}/`)))
      .map((move) => move.seenAt / 1000);
    this.used.show(columns, now);
    this.delivered.show(columns, now);
  }

  close() {
    this.used.close();
    this.delivered.close();
  }
}

/** One chart with its legend; made anew when colours change. */
class Chart {
  constructor(root, { title, lines, ...more }) {
    this.title = title;
    this.lines = lines;
    this.more = more;
    this.box = element('figure', 'chart');
    this.legend = element('figcaption');
    this.legend.append(element('span', 'chart-title', title));
    this.canvas = element('div', 'canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${title}, the last ten minutes`);
    this.texts = lines.map((line) => this.legendEntry(line));
    this.box.append(this.legend, this.canvas);
    root.append(this.box);
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.canvas);
    this.recolour = () => this.drop();
    dark.addEventListener('change', this.recolour);
  }

  legendEntry(line) {
    const entry = element('span', `legend ${line.column}`);
    this.legend.append(entry);
    return entry;
  }

  show(columns, now) {
    const last = (column) => columns[column].at(-1) ?? undefined;
    this.lines.forEach((line, at) => {
      const value = last(line.column);
      setText(this.texts[at], value === undefined ? '' : `${line.name} ${line.text(value)}`);
    });
    const told = this.texts
      .map((it) => it.textContent)
      .filter(Boolean)
      .join(', ');
    setAttribute(this.canvas, 'aria-label', `${this.title}, the last ten minutes. Now: ${told || 'not known'}`);
    if (document.hidden || this.canvas.clientWidth === 0) return;
    this.data = [columns.at, ...this.lines.map((line) => columns[line.column])];
    this.plot ??= this.newPlot();
    this.plot.setData(this.data, false);
    this.plot.setScale('x', { min: (now - WINDOW_MILLIS) / 1000, max: now / 1000 });
  }

  newPlot() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--quiet'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    return new globalThis.uPlot(
      {
        width: this.canvas.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 4, 0, 0],
        scales: { x: { time: true, auto: false }, y: { range: this.more.range } },
        axes: [
          { ...axis, size: 22, space: 64, values: [[60, '{HH}:{mm}', null, null, null, null, null, null, 0]] },
          { ...axis, size: AXIS_WIDTH, space: 30, values: (u, ticks) => ticks.map(this.more.tick) },
        ],
        series: [
          {},
          ...this.lines.map((line) => ({
            stroke: colour(line.colour),
            width: 1.75,
            dash: line.dash,
            points: { show: false },
          })),
        ],
        hooks: {
          drawClear: [(u) => this.shade(u, colour('--shade'))],
          drawAxes: [(u) => this.mark(u, colour('--moving'))],
        },
      },
      this.data,
      this.canvas,
    );
  }

  /** Time in which the guarantee was broken. */
  shade(u, colour) {
    const broken = this.more.shaded?.() ?? [];
    u.ctx.fillStyle = colour;
    broken.forEach((value, at) => {
      if (!value) return;
      const begin = u.valToPos(Math.max(u.data[0][at], u.scales.x.min), 'x', true);
      const end = u.valToPos(u.data[0][at + 1] ?? u.scales.x.max, 'x', true);
      if (end > begin) u.ctx.fillRect(begin, u.bbox.top, end - begin, u.bbox.height);
    });
  }

  /** Moves, by a tick at the foot. */
  mark(u, colour) {
    u.ctx.save();
    u.ctx.strokeStyle = colour;
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    const length = MARK_HEIGHT * devicePixelRatio;
    u.ctx.setLineDash([]);
    for (const at of this.more.marks()) {
      const x = Math.round(u.valToPos(at, 'x', true)) + 0.5;
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top + u.bbox.height - length);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  fit() {
    const width = this.canvas.clientWidth;
    if (this.plot && width > 0) this.plot.setSize({ width, height: HEIGHT });
  }

  drop() {
    this.plot?.destroy();
    this.plot = undefined;
  }

  close() {
    this.resized.disconnect();
    dark.removeEventListener('change', this.recolour);
    this.drop();
  }
}
