/** The one allowed frontend URL. */
export const ALLOWED_URL = 'https://app.example.com';

const EVIL = 'evil.example';

/** Suffixes of the allowed URL: for prefix checks, and for parsers that disagree about where a host ends. */
// prettier-ignore
const suffixes = [
  '/', '//', '/.', '/..', '/./', '/../', '/%2e', '/%2e%2e/', '/;', ';', '.', '..', ':', ':0', ':80', ':443',
  '?', '?x', `?next=https://${EVIL}`, '#', '#x', `#@${EVIL}`, '*', '/*', '%', '%zz', '%00', '%20', '%09',
  `:443@${EVIL}`, `@${EVIL}`, `%40${EVIL}`, `:x@${EVIL}`, `.${EVIL}`, `%2e${EVIL}`, `-${EVIL}`, EVIL,
  `/@${EVIL}`, `//${EVIL}`, `/\\${EVIL}`, `\\${EVIL}`, `\\@${EVIL}`, `\\.${EVIL}`, `%5c${EVIL}`, `%2f%2f${EVIL}`,
  '/auth', '/auth/callback', '/auth/callback?code=x', '/app/..', `/redirect?to=https://${EVIL}`,
  '\n', '\r\n', '\t', ' ', '\u0000', '\u000b', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u2028', '\ufeff',
  `%0d%0aLocation:%20https://${EVIL}`, `\r\nLocation: https://${EVIL}`, `\u202e${EVIL}`,
  `。${EVIL}`, `．${EVIL}`, `／${EVIL}`, `＠${EVIL}`, '？x', '＃x', '：443',
  `,https://${EVIL}`, ` https://${EVIL}`, `|https://${EVIL}`, `&frontend_url=https://${EVIL}`,
  '"><script>alert(1)</script>', "';alert(1)//", '${7*7}', '{{7*7}}',
];

/** Prefixes, for checks by suffix or substring. */
// prettier-ignore
const prefixes = [
  ' ', '\t', '\n', '\u0000', '\u00a0', '\u200b', '\ufeff', '/', '//', '\\', '<', '"', 'x', '@',
  `https://${EVIL}/`, `https://${EVIL}?`, `https://${EVIL}#`, `https://${EVIL}\\`, `https://${EVIL}@`,
  `https://${EVIL}/?u=`, `//${EVIL}/`, 'javascript:alert(1)//', 'javascript://', 'data:text/html,',
  'view-source:', 'blob:', 'url:', 'feed:', 'https://',
];

/** Other spellings of the URL, and look-alikes. */
// prettier-ignore
const others = [
  'HTTPS://app.example.com', 'https://APP.example.com', 'https://App.Example.Com', 'https://app.example.COM',
  'http://app.example.com', 'ftp://app.example.com', 'wss://app.example.com', 'file://app.example.com',
  '//app.example.com', '///app.example.com', 'app.example.com', 'https:app.example.com',
  'https:/app.example.com', 'https:///app.example.com', 'https:\\\\app.example.com', 'https//app.example.com',
  'https://user@app.example.com', 'https://user:secret@app.example.com', 'https://@app.example.com',
  'https://:@app.example.com', `https://${EVIL}:443@app.example.com`,
  'https://sub.app.example.com', 'https://example.com', 'https://evilapp.example.com', 'https://app.example.co',
  'https://appXexample.com', 'https://app-example.com', 'https://app.examplexcom', 'https://app.examp1e.com',
  'https://аpp.example.com', 'https://ａpp.example.com', 'https://app｡example｡com', 'https://ａｐｐ.example.com',
  'https://xn--pp-7kc.example.com', 'https://%61pp.example.com', 'https://app%2eexample%2ecom',
  'https%3A%2F%2Fapp.example.com', 'https://*.example.com', 'https://*', '*', '.*', '^https://app\\.example\\.com$',
  'null', 'undefined', 'true', '0', '{}', '[]', '["https://app.example.com"]', 'about:blank',
  `https://${EVIL}`, `https://${EVIL}/app.example.com`, 'https://127.0.0.1', 'https://[::1]', 'https://2130706433',
];

/** URLs that differ from the allowed one. */
export const allowlistBypasses: readonly string[] = [
  ...suffixes.map((suffix) => `${ALLOWED_URL}${suffix}`),
  ...prefixes.map((prefix) => `${prefix}${ALLOWED_URL}`),
  ...others,
];

/** Queries with the allowed URL and another one, or with the URL under another name. */
export const queryTricks: readonly string[] = [
  `frontend_url=${ALLOWED_URL}&frontend_url=https://${EVIL}`,
  `frontend_url=https://${EVIL}&frontend_url=${ALLOWED_URL}`,
  `frontend_url=${ALLOWED_URL}&frontend_url=${ALLOWED_URL}`,
  `frontend_url=${ALLOWED_URL}&%66rontend_url=https://${EVIL}`,
  `frontend_url[]=${ALLOWED_URL}`,
  `frontend_url[0]=${ALLOWED_URL}&frontend_url[1]=https://${EVIL}`,
  `frontend_url[toString]=${ALLOWED_URL}`,
  `frontend_url.=${ALLOWED_URL}`,
  `frontend_url%00=${ALLOWED_URL}`,
  `frontend_url%20=${ALLOWED_URL}`,
  `FRONTEND_URL=${ALLOWED_URL}`,
  `frontend_url=${ALLOWED_URL}&redirect_uri=https://${EVIL}`,
  `frontend_url=https://${EVIL};frontend_url=${ALLOWED_URL}`,
  `__proto__[frontend_url]=${ALLOWED_URL}`,
  `redirect_uri=${ALLOWED_URL}`,
  'frontend_url=',
  'frontend_url',
  '',
];
