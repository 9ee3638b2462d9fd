import type { AlertType } from '@gpu-observatory/domain-types';
import type { AlertKind } from '../alert-kind.ts';
import { container } from './container.ts';
import { controlPlane } from './control-plane.ts';
import { gpuActivity } from './gpu-activity.ts';
import { gpuHardware } from './gpu-hardware.ts';
import { host } from './host.ts';

/** Templates of every alert type (docs/fleet-api.md#alert-types). A missing type does not compile. */
export const alertKinds: Record<AlertType, AlertKind> = {
  ...gpuActivity,
  ...gpuHardware,
  ...host,
  ...container,
  ...controlPlane,
};

export const alertTypes = Object.keys(alertKinds) as AlertType[];
