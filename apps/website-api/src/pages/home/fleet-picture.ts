import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { GpuHealth } from './home-content.ts';

const GPUS = 512;
const RINGS = 11;
const INNER_RADIUS = 92;
const RING_STEP = 20;
const CENTRE = { x: 320, y: 308 };

/** How many of the 512 are unwell. The step is near 512 / golden ratio: it scatters them evenly, and always alike. */
const UNWELL: [GpuHealth, number][] = [
  ['critical', 5],
  ['missing', 7],
  ['degraded', 18],
];
const SCATTER_STEP = 317;
const SCATTER_START = 75;

/** A fleet seen as the sky from under a dome: one mark a GPU, and the few that need a look stand out. */
export function fleetPicture(): VNode {
  const places = domePlaces();
  const health = healthOfEach();
  const marks = (wanted: (index: number) => boolean) =>
    places
      .filter((_place, index) => wanted(index))
      .map(({ x, y }) => `M${x} ${y}h0`)
      .join('');
  const circles = (wanted: GpuHealth, radius: number) =>
    places
      .filter((_place, index) => health[index] === wanted)
      .map(({ x, y }) => html`<circle cx=${x} cy=${y} r=${radius} />`);
  // Three strengths of a healthy mark: idle, busy, busiest.
  const healthy = [0, 1, 2].map((strength) =>
    marks((index) => health[index] === 'healthy' && ((index * 7) % 13) % 3 === strength),
  );
  return html`
    <svg class="fleet" viewBox="0 0 640 320" role="img" aria-labelledby="fleet-title">
      <title id="fleet-title">A drawing of a fleet of 512 GPUs under a dome, most of them healthy</title>
      ${healthy.map((path, strength) => html`<path class=${`healthy strength-${strength}`} d=${path} />`)}
      <path class="degraded" d=${marks((index) => health[index] === 'degraded')} />
      <g class="missing">${circles('missing', 3.4)}</g>
      <g class="halo">${circles('critical', 8)}</g>
      <path class="critical" d=${marks((index) => health[index] === 'critical')} />
    </svg>
  ` as VNode;
}

/** 512 places on half rings, as many on each as its length allows. */
function domePlaces(): { x: number; y: number }[] {
  const radii = Array.from({ length: RINGS }, (_, ring) => INNER_RADIUS + ring * RING_STEP);
  const totalLength = radii.reduce((sum, radius) => sum + radius, 0);
  let placed = 0;
  return radii.flatMap((radius, ring) => {
    const count = ring === RINGS - 1 ? GPUS - placed : Math.round((GPUS * radius) / totalLength);
    placed += count;
    return Array.from({ length: count }, (_, index) => {
      const angle = (Math.PI * (index + 0.5)) / count;
      return { x: round(CENTRE.x - radius * Math.cos(angle)), y: round(CENTRE.y - radius * Math.sin(angle)) };
    });
  });
}

function healthOfEach(): GpuHealth[] {
  const all = Array<GpuHealth>(GPUS).fill('healthy');
  let index = SCATTER_START;
  for (const [health, count] of UNWELL) {
    for (let left = count; left > 0; left -= 1) {
      all[index] = health;
      index = (index + SCATTER_STEP) % GPUS;
    }
  }
  return all;
}

const round = (value: number) => Math.round(value * 10) / 10;
