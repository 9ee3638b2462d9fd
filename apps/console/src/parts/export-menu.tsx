import type { ExportType, FleetClient } from '@gpu-observatory/client';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../session/services.ts';
import styles from './export-menu.module.css';
import { Menu } from './menu.tsx';
import { saveFile } from './save-file.ts';
import { describeError } from './states.tsx';

type Path = Parameters<FleetClient['export']>[0];

const TYPES: readonly (readonly [type: ExportType, title: string, extension: string])[] = [
  ['text/csv', 'CSV', 'csv'],
  ['application/x-ndjson', 'NDJSON', 'ndjson'],
];

const CUT_OFF = 'The export was cut off before its end; nothing was saved.';

interface ExportMenuProps {
  path: Path;
  query: object;
  /** Begin of the file name. */
  name: string;
  /** What is exported. */
  title: string;
  label?: string;
}

/** Downloads all rows of a list as a file. */
export function ExportMenu({ path, query, name, title, label = 'Export' }: ExportMenuProps) {
  const { fleet } = useServices();
  const running = useRef<AbortController>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => () => running.current?.abort(), []);

  const start = async ([type, , extension]: (typeof TYPES)[number]) => {
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    setProblem(undefined);
    let hasStarted = false;
    try {
      const response = await fleet.export(path, { type, query, signal: controller.signal });
      hasStarted = true;
      // Complete before it is saved: an export that breaks leaves no file that looks complete.
      const rows = await response.blob();
      saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.${extension}`, type, rows);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(hasStarted ? CUT_OFF : describeError(error as Error).detail);
    } finally {
      if (!controller.signal.aborted) setIsRunning(false);
    }
  };
  const cancel = () => {
    running.current?.abort();
    setIsRunning(false);
  };

  return (
    <>
      {problem === undefined ? null : <span role="alert">{problem}</span>}
      {isRunning ? (
        <button type="button" onClick={cancel}>
          Cancel the export
        </button>
      ) : (
        <div className={styles.menu}>
          <Menu title={label}>
            {() => (
              <>
                <p>{title}</p>
                {TYPES.map((type) => (
                  <button key={type[0]} type="button" onClick={() => void start(type)}>
                    {label} as {type[1]}
                  </button>
                ))}
              </>
            )}
          </Menu>
        </div>
      )}
    </>
  );
}
