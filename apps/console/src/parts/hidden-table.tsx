interface HiddenTableProps {
  caption: string;
  columns: string[];
  /** Cells of each row; the first one is its header. */
  rows: (string | number)[][];
}

/** The numbers of a chart for assistive technology. The wrapper clips: tables ignore `height` and `overflow`. */
export function HiddenTable({ caption, columns, rows }: HiddenTableProps) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([header, ...cells]) => (
            <tr key={header}>
              <th>{header}</th>
              {cells.map((cell, n) => (
                <td key={n}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
