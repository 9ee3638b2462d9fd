/** What NVIDIA's catalogue says of an XID, and what it does to our `health`. */
export interface XidEntry {
  code: number;
  name: string;
  /** The class of NVIDIA's catalogue that the code belongs to. */
  class: string;
  /** NVIDIA's immediate action. */
  action: string;
  /** What a GPU is for 24 h after it, unless it is reset; null: this code says nothing of the board. */
  health: 'critical' | 'degraded' | null;
}

/**
 * NVIDIA's XID catalogue for Ampere and newer (GPU Deployment and Management, "XID Errors"), with names in plain words.
 * Tools disagree on single codes, so this is a table to be read and overridden, not logic.
 */
export const XID_CATALOGUE: readonly XidEntry[] = [
  {
    code: 8,
    name: 'GPU stopped processing',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 11,
    name: 'Invalid or corrupted push buffer stream',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 13,
    name: 'Graphics engine exception',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 25,
    name: 'Invalid or illegal push buffer stream',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 31,
    name: 'GPU memory page fault',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 32,
    name: 'Invalid or corrupted push buffer stream',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  { code: 37, name: 'Driver firmware error', class: 'ignore', action: 'ignore', health: null },
  { code: 38, name: 'Driver firmware error', class: 'ignore', action: 'ignore', health: null },
  {
    code: 39,
    name: 'Copy engine 0 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 40,
    name: 'Copy engine 1 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 41,
    name: 'Copy engine 2 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 43,
    name: 'GPU stopped processing (user application fault)',
    class: 'ignore',
    action: 'ignore',
    health: null,
  },
  {
    code: 44,
    name: 'Graphics Engine fault during context switch',
    class: 'ignore',
    action: 'ignore',
    health: null,
  },
  {
    code: 45,
    name: 'Preemptive cleanup after a previous error',
    class: 'follows another XID',
    action: 'informational',
    health: null,
  },
  { code: 46, name: 'GPU stopped processing', class: 'reset', action: 'reset GPU', health: 'critical' },
  {
    code: 48,
    name: 'Double-bit ECC error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 60,
    name: 'Video processor exception',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 62,
    name: 'Internal micro-controller halt',
    class: 'reset',
    action: 'reset GPU',
    health: 'critical',
  },
  {
    code: 63,
    name: 'Row remapping or page retirement recorded',
    class: 'early warning',
    action: 'ignore',
    health: 'degraded',
  },
  {
    code: 64,
    name: 'Row remapping or page retirement failed to record',
    class: 'reset',
    action: 'reset GPU',
    health: 'critical',
  },
  { code: 66, name: 'Illegal access by driver', class: 'ignore', action: 'ignore', health: null },
  { code: 67, name: 'Illegal access by driver', class: 'ignore', action: 'ignore', health: null },
  {
    code: 68,
    name: 'Video decoder 0 exception',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 69,
    name: 'Graphics engine class error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 70,
    name: 'Copy engine 3 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 71,
    name: 'Copy engine 4 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 72,
    name: 'Copy engine 5 error',
    class: 'application',
    action: 'restart application',
    health: null,
  },
  {
    code: 74,
    name: 'NVLink error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 79,
    name: 'GPU has fallen off the bus',
    class: 'fallen off the bus',
    action: 'restart host',
    health: 'critical',
  },
  {
    code: 92,
    name: 'High single-bit ECC error rate',
    class: 'early warning',
    action: 'ignore',
    health: 'degraded',
  },
  {
    code: 94,
    name: 'Contained memory error',
    class: 'contained memory error',
    action: 'restart application',
    health: 'degraded',
  },
  { code: 95, name: 'Uncontained memory error', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 109, name: 'Context switch timeout', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 110, name: 'Security fault', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 119, name: 'GSP RPC timeout', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 120, name: 'GSP error', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 136, name: 'Link training failed', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 140, name: 'Unrecovered ECC error', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 143, name: 'GPU Initialization Failure', class: 'reset', action: 'reset GPU', health: 'critical' },
  {
    code: 144,
    name: 'NVLink: SAW Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 145,
    name: 'NVLink: RLW Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 146,
    name: 'NVLink: TLW Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 147,
    name: 'NVLink: TREX Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 148,
    name: 'NVLink: NVLPW_CTRL Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 149,
    name: 'NVLink: NETIR Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 150,
    name: 'NVLink: MSE Error',
    class: 'double bit or NVLink',
    action: 'follow the workflow',
    health: 'critical',
  },
  {
    code: 154,
    name: 'GPU Recovery Action Changed',
    class: 'follows another XID',
    action: 'informational',
    health: null,
  },
  { code: 155, name: 'NVLink: SW Defined Error', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 156, name: 'Resource Retirement Event', class: 'reset', action: 'reset GPU', health: 'critical' },
  { code: 158, name: 'GPU Fatal Timeout', class: 'reset', action: 'reset GPU', health: 'critical' },
];

const BY_CODE = new Map(XID_CATALOGUE.map((entry) => [entry.code, entry]));

/** The entry of a code; one that the catalogue does not know says nothing of the board and asks to contact support. */
export function xidEntry(code: number): XidEntry {
  return (
    BY_CODE.get(code) ?? {
      code,
      name: `XID ${code}`,
      class: 'not in the catalogue',
      action: 'contact support',
      health: null,
    }
  );
}
