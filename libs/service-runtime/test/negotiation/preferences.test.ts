import { preferredCoding, preferredPageType } from '../../src/negotiation/preferences.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

describe('preferredPageType', () => {
  it.each([
    ['', HTML],
    ['*/*', HTML],
    ['text/*', HTML],
    ['text/markdown', MARKDOWN],
    ['TEXT/Markdown', MARKDOWN],
    ['text/markdown; charset=UTF-8', MARKDOWN],
    ['text/markdown, */*', MARKDOWN],
    ['text/markdown, text/html', MARKDOWN],
    ['text/html, text/markdown', HTML],
    ['text/markdown;q=0.1, */*;q=0.01', MARKDOWN],
    ['text/markdown;q=0.1, */*', HTML],
    ['text/html;q=0.4, text/markdown;q=0.6', MARKDOWN],
    ['text/html;q=0, */*', MARKDOWN],
    ['text/markdown;q=0, text/html;q=0.1', HTML],
    ['text/markdown;q=0', HTML],
    ['application/json', HTML],
    ['text/markdown; variant=GFM', MARKDOWN],
    ['text/markdown;variant="a;b,c";q=0.9, text/html;level=1;q=0.8', MARKDOWN],
    ['text/markdown; variant=GFM; q=0.1, */*', HTML],
    ['nonsense;;,', HTML],
  ])('Accept: %s selects %s', (accept, type) => {
    expect(preferredPageType({ accept })).toBe(type);
  });

  it('selects HTML without the header', () => {
    expect(preferredPageType({})).toBe(HTML);
  });
});

describe('preferredCoding', () => {
  it.each([
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, zstd', 'zstd'],
    ['*', 'br'],
    ['identity;q=0', 'identity'],
    ['br;q=0.1, gzip;q=1', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip, br', 'br'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['Identity, gzip', 'gzip'],
    ['gzip;q=0.1', 'gzip'],
    ['gzip;q=0.1, zstd', 'zstd'],
    ['br;q=0.5, gzip;q=0.1, *', 'zstd'],
    ['br;q=0.5, *', 'zstd'],
    ['*;q=0', 'identity'],
  ])('Accept-Encoding: %s selects %s', (header, coding) => {
    expect(preferredCoding({ 'accept-encoding': header })).toBe(coding);
  });

  it('selects identity without the header', () => {
    expect(preferredCoding({})).toBe('identity');
  });
});
