import type { RecordReader } from '../records/record-reader.ts';
import type { SourceItem } from '../running/source.ts';
import { readLines } from '../running/lines.ts';

/** One JSON object a line; blank lines are nothing. A bad line is a fault of its own and stops nothing else. */
export async function* readNdjson(
  file: string,
  input: AsyncIterable<Buffer | string>,
  reader: RecordReader,
): AsyncGenerator<SourceItem[]> {
  for await (const lines of readLines(input)) {
    const items: SourceItem[] = [];
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      const origin = { file, lines: [line] };
      if (line.fault !== undefined) {
        items.push({ fault: line.fault, origin });
        continue;
      }
      let value: unknown;
      try {
        value = JSON.parse(line.text);
      } catch (failure) {
        items.push({ fault: `not JSON: ${(failure as Error).message}`, origin });
        continue;
      }
      const result = reader.read(value);
      items.push('record' in result ? { record: result.record, origin } : { fault: result.fault, origin });
    }
    yield items;
  }
}
