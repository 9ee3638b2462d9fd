import type { AlertType } from '@gpu-observatory/domain-types';
import type { AlertKind, AlertTemplate, Subject } from '../alert-kind.ts';
import { container } from './container.ts';
import { controlPlane } from './control-plane.ts';
import { gpuActivity } from './gpu-activity.ts';
import { gpuHardware } from './gpu-hardware.ts';
import { host } from './host.ts';

/** Templates of every alert type (docs/fleet-api.md#alert-types). A missing type does not compile. */
export const alertKinds: Record<AlertType, AlertKind> = {
  ...about('gpu', { ...gpuActivity, ...gpuHardware }),
  ...about('host', host),
  ...about('container', container),
  ...about('control_plane', controlPlane),
};

export const alertTypes = Object.keys(alertKinds) as AlertType[];

function about<Type extends string>(subject: Subject, templates: Record<Type, AlertTemplate>) {
  const kinds = Object.entries<AlertTemplate>(templates).map(([type, template]) => [
    type,
    { ...template, subject },
  ]);
  return Object.fromEntries(kinds) as Record<Type, AlertKind>;
}
