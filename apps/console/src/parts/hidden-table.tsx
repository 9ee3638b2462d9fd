import type { ReactNode } from 'react';

/** The numbers of a chart for assistive technology. The wrapper clips: tables ignore `height` and `overflow`. */
export function HiddenTable({ children }: { children: ReactNode }) {
  return (
    <div className="visually-hidden">
      <table>{children}</table>
    </div>
  );
}
