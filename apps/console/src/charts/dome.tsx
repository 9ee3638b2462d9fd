import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Gpu, Health } from '../data/queries.ts';
import { tokenColor, useColorVersion } from '../shell/preferences.ts';
import { ChartBoundary } from './chart-boundary.tsx';
import styles from './dome.module.css';
import { SpatialIndex } from './spatial-index.ts';

/** The most GPUs that are drawn; the rest are counted in words. */
const MAX_DOTS = 10_000;
const NONE: Gpu[] = [];
const ASPECT = 0.42;
/** Distance from a dot at which it is still hovered, of the width. */
const REACH = 0.02;

interface Dot {
  gpu: Gpu;
  /** 0 to 1 from the left edge. */
  x: number;
  /** 0 to 1 from the horizon up. */
  y: number;
}

/**
 * The fleet as a dome of dots, one per GPU: hosts side by side on arcs, the GPUs of a host in one spoke. Unhealthy GPUs
 * are larger, and their shape differs.
 */
export function Dome(props: { gpus: Gpu[] }) {
  return (
    <ChartBoundary title="Fleet by host and health">
      <Dots {...props} />
    </ChartBoundary>
  );
}

function Dots({ gpus }: { gpus: Gpu[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hovered, setHovered] = useState<Dot>();
  const colorVersion = useColorVersion();
  const navigate = useNavigate();
  // Laid out in a task of its own: with 10,000 GPUs it would delay the other parts of the view.
  const shown = useDeferredValue(gpus, NONE);
  const dots = useMemo(() => layOut(shown.slice(0, MAX_DOTS)), [shown]);
  const index = useMemo(() => new SpatialIndex(dots, REACH / ASPECT), [dots]);
  const height = Math.round(width * ASPECT);

  useEffect(() => {
    const element = canvas.current?.parentElement as HTMLElement;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, dots, width, height);
  }, [dots, width, height, colorVersion]);

  const nearest = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / width, 1 - (event.clientY - box.top) / height];
    let best: Dot | undefined;
    let bestDistance = REACH ** 2;
    for (const dot of index.near(x, y)) {
      const distance = (dot.x - x) ** 2 + ((dot.y - y) * ASPECT) ** 2;
      if (distance < bestDistance) [best, bestDistance] = [dot, distance];
    }
    return best;
  };

  return (
    <figure className={styles.dome}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${gpus.length} GPUs by host and health; the table of GPUs has the same data`}
        onMouseMove={(event) => setHovered(nearest(event))}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const dot = nearest(event);
          if (dot) void navigate({ to: '/gpus/$id', params: { id: dot.gpu.gpu_id } });
        }}
        data-clickable={hovered !== undefined}
      />
      {hovered === undefined ? null : (
        <figcaption
          className={styles.tip}
          style={{ left: `${hovered.x * 100}%`, bottom: `${hovered.y * 100}%` }}
          data-side={hovered.x > 0.5 ? 'left' : 'right'}
        >
          <strong>
            <bdi>{hovered.gpu.hostname || hovered.gpu.gpu_id}</bdi>
          </strong>
          <br />
          <bdi>{hovered.gpu.model}</bdi> · {hovered.gpu.health}
        </figcaption>
      )}
      {gpus.length > MAX_DOTS ? <p>{gpus.length - MAX_DOTS} more GPUs are not drawn.</p> : null}
    </figure>
  );
}

/** Distributes hosts over concentric arcs, in proportion to their length, in order of hostname. */
function layOut(gpus: Gpu[]): Dot[] {
  const hosts = Map.groupBy(
    gpus.toSorted((a, b) => (a.hostname < b.hostname ? -1 : a.hostname > b.hostname ? 1 : 0)),
    ({ hostname }) => hostname,
  );
  const rows = Math.max(4, Math.min(60, Math.round(Math.sqrt(gpus.length / 3.6))));
  const radii = Array.from({ length: rows }, (_unused, n) => 0.22 + (0.78 * (n + 0.5)) / rows);
  const total = radii.reduce((sum, radius) => sum + radius, 0);
  // Slots of all arcs, sorted by angle: a host's GPUs are next to each other, from the inner arc outwards.
  const slots = radii
    .flatMap((radius) => {
      const count = Math.max(1, Math.ceil((gpus.length * radius) / total));
      return Array.from({ length: count }, (_unused, n) => ({ radius, angle: (n + 0.5) / count }));
    })
    .sort((a, b) => a.angle - b.angle || a.radius - b.radius);
  return [...hosts.values()].flat().map((gpu, n) => {
    const { radius, angle } = slots[Math.floor((n * slots.length) / gpus.length)] as (typeof slots)[number];
    const radians = Math.PI * (1 - angle);
    return { gpu, x: 0.5 + 0.485 * radius * Math.cos(radians), y: 0.03 + 0.93 * radius * Math.sin(radians) };
  });
}

const HEALTH_ORDER: Health[] = ['healthy', 'missing', 'degraded', 'critical'];

function draw(canvas: HTMLCanvasElement, dots: Dot[], width: number, height: number): void {
  const ratio = window.devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(ratio, ratio);
  context.strokeStyle = tokenColor('ink');
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(0, height - 1);
  context.lineTo(width, height - 1);
  context.stroke();
  const radius = Math.max(1, Math.min(3.2, (width / 100) * (14 / Math.sqrt(dots.length + 20))));
  const byHealth = Map.groupBy(dots, ({ gpu }) => gpu.health);
  const fillAll = (some: Dot[], health: Health) => {
    const size = health === 'healthy' ? radius : radius + Math.min(1.6, width / 440);
    context.beginPath();
    for (const { x, y } of some) addDot(context, health, x * width, (1 - y) * height, size);
    if (health === 'missing') context.stroke();
    else context.fill();
  };
  for (const health of HEALTH_ORDER) {
    context.fillStyle = context.strokeStyle = tokenColor(health);
    context.lineWidth = 1.5;
    const some = byHealth.get(health) ?? [];
    if (health !== 'healthy') {
      fillAll(some, health);
      continue;
    }
    // One path per strength: a fill per dot takes several times as long.
    for (const [level, group] of Map.groupBy(some, ({ gpu }) => levelOf(gpu))) {
      context.globalAlpha = FAINTEST + (1 - FAINTEST) * (level / LEVELS);
      fillAll(group, health);
    }
    context.globalAlpha = 1;
  }
}

/** Opacity of a dot without utilization. */
const FAINTEST = 0.35;
/** Opacities that a person can tell apart. */
const LEVELS = 8;

function levelOf({ utilization_pct: percent }: Gpu): number {
  return Math.round(((percent ?? 0) / 100) * LEVELS);
}

/** Radius below which a circle looks like a square, which is faster to fill. */
const SMALLEST_CIRCLE_PX = 1.5;

/** Adds the outline of a dot to the path. */
function addDot(
  context: CanvasRenderingContext2D,
  health: Health,
  x: number,
  y: number,
  radius: number,
): void {
  if (health === 'missing') {
    context.moveTo(x - radius, y - radius);
    context.lineTo(x + radius, y + radius);
    context.moveTo(x + radius, y - radius);
    context.lineTo(x - radius, y + radius);
  } else if (health === 'critical') {
    context.moveTo(x, y - radius * 1.3);
    context.lineTo(x + radius * 1.3, y);
    context.lineTo(x, y + radius * 1.3);
    context.lineTo(x - radius * 1.3, y);
  } else if (health === 'degraded') {
    context.moveTo(x, y - radius * 1.2);
    context.lineTo(x + radius * 1.15, y + radius * 0.9);
    context.lineTo(x - radius * 1.15, y + radius * 0.9);
  } else if (radius < SMALLEST_CIRCLE_PX) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}
