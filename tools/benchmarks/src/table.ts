/** Formats rows of equal length as aligned columns. */
export function formatTable(rows: string[][], rightAligned: readonly number[]): string {
  const widths = (rows[0] as string[]).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] as number;
          return rightAligned.includes(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
