/** Makes a spreadsheet read a CSV as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Saves rows as a file of the user's. */
export function saveFile(name: string, type: string, rows: Blob): void {
  const parts = type === 'text/csv' ? [BYTE_ORDER_MARK, rows] : [rows];
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
