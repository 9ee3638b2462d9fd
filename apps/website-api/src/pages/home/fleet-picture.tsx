import type { GpuHealth } from '@gpu-observatory/domain-types';

const GPUS = 512;
const RINGS = 11;
const INNER_RADIUS = 92;
const RING_STEP = 20;
const CENTER = { x: 320, y: 308 };

/** Number of unhealthy GPUs. A step near 512 / golden ratio scatters them evenly and deterministically. */
const UNHEALTHY: [GpuHealth, number][] = [
  ['critical', 5],
  ['missing', 7],
  ['degraded', 18],
];
const SCATTER_STEP = 317;
const SCATTER_START = 75;

/** A fleet of GPUs as dots on a dome, with the unhealthy ones highlighted. */
export function FleetPicture() {
  const positions = domePositions();
  const health = healthByIndex();
  const marks = (wanted: (index: number) => boolean) =>
    positions
      .filter((_position, index) => wanted(index))
      .map(({ x, y }) => `M${x} ${y}h0`)
      .join('');
  const circles = (wanted: GpuHealth, radius: number) =>
    positions
      .filter((_position, index) => health[index] === wanted)
      .map(({ x, y }) => <circle cx={x} cy={y} r={radius} />);
  // Three strengths of a healthy mark, for different utilization.
  const healthy = [0, 1, 2].map((strength) =>
    marks((index) => health[index] === 'healthy' && ((index * 7) % 13) % 3 === strength),
  );
  return (
    <svg class="fleet" viewBox="0 0 640 320" role="img" aria-labelledby="fleet-title">
      <title id="fleet-title">A drawing of a fleet of 512 GPUs under a dome, most of them healthy</title>
      {healthy.map((path, strength) => (
        <path class={`healthy strength-${strength}`} d={path} />
      ))}
      <path class="degraded" d={marks((index) => health[index] === 'degraded')} />
      <g class="missing">{circles('missing', 3.4)}</g>
      <g class="halo">{circles('critical', 8)}</g>
      <path class="critical" d={marks((index) => health[index] === 'critical')} />
    </svg>
  );
}

/** Distributes the GPUs over half rings in proportion to the ring lengths. */
function domePositions(): { x: number; y: number }[] {
  const radii = Array.from({ length: RINGS }, (_, ring) => INNER_RADIUS + ring * RING_STEP);
  const totalLength = radii.reduce((sum, radius) => sum + radius, 0);
  let placed = 0;
  return radii.flatMap((radius, ring) => {
    const count = ring === RINGS - 1 ? GPUS - placed : Math.round((GPUS * radius) / totalLength);
    placed += count;
    return Array.from({ length: count }, (_, index) => {
      const angle = (Math.PI * (index + 0.5)) / count;
      return { x: round(CENTER.x - radius * Math.cos(angle)), y: round(CENTER.y - radius * Math.sin(angle)) };
    });
  });
}

function healthByIndex(): GpuHealth[] {
  const all = Array<GpuHealth>(GPUS).fill('healthy');
  let index = SCATTER_START;
  for (const [health, count] of UNHEALTHY) {
    for (let left = count; left > 0; left -= 1) {
      all[index] = health;
      index = (index + SCATTER_STEP) % GPUS;
    }
  }
  return all;
}

const round = (value: number) => Math.round(value * 10) / 10;
