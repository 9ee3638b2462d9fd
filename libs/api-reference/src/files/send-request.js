// Sends the requests of the forms, only to this service. Credentials stay in their input fields: nothing stores them.
const TIMEOUT_MS = 60_000;
/** Longer bodies are cut, because the page would become slow. In characters. */
const MAX_SHOWN = 200_000;
/** A name with its colon, a string, a literal, or a number. Like highlight-json.ts. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const credentials = [...document.querySelectorAll('[data-scheme]')];
for (const input of credentials) {
  input.addEventListener('input', () => {
    for (const other of credentials) {
      if (other.dataset.scheme === input.dataset.scheme) other.value = input.value;
    }
  });
}

for (const request of document.querySelectorAll('.request')) {
  request.hidden = false;
  const form = request.querySelector('form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  const further = form.querySelector('.further');
  further?.querySelector('button').addEventListener('click', () => addParameter(further));
}

/** Adds an input field for the selected parameter. */
function addParameter(further) {
  const [option] = further.querySelector('select').selectedOptions;
  const label = document.createElement('label');
  const name = document.createElement('code');
  const input = document.createElement('input');
  name.textContent = input.name = option.value;
  input.dataset.in = option.dataset.in;
  input.autocomplete = 'off';
  input.spellcheck = false;
  label.append(name, input);
  further.before(label);
  option.remove();
  further.hidden = further.querySelector('option') === null;
  input.focus();
}

async function send(form) {
  const button = form.querySelector('[type=submit]');
  const outcome = form.querySelector('output');
  const result = form.nextElementSibling;
  const body = form.querySelector('textarea');
  const started = performance.now();
  button.disabled = true;
  result.hidden = true;
  report(outcome, 'Sending …');
  try {
    const response = await fetch(urlOf(form), {
      method: form.dataset.method,
      headers: headersOf(form, body),
      ...(body && { body: body.value }),
      cache: 'no-store',
      credentials: 'omit',
      // A page of a sign-in provider would not load here.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const time = `${Math.round(performance.now() - started)} ms`;
    if (response.type === 'opaqueredirect') {
      report(outcome, `Redirect in ${time}. To follow it, open the URL in a tab.`);
      return;
    }
    report(outcome, `${response.status} ${response.statusText}`, `${time}, ${sizeOf(text)}`, response.ok);
    show(result, response, text);
  } catch (error) {
    const isTimeout = error.name === 'TimeoutError';
    report(outcome, isTimeout ? `No response within ${TIMEOUT_MS / 1_000} s.` : error.message, '', false);
  } finally {
    button.disabled = false;
  }
}

/** Returns the URL of the request on this service. Empty query parameters are not sent. */
function urlOf({ dataset, elements }) {
  const inputs = [...elements].filter((element) => element.dataset.in && element.value !== '');
  const valueOf = (name) => inputs.find((input) => input.dataset.in === 'path' && input.name === name)?.value;
  const path = dataset.path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(valueOf(name) ?? ''));
  const url = new URL(path, location.origin);
  if (url.pathname !== path) throw new Error('A path parameter must not be "." or "..".');
  for (const { name, value, dataset: parameter } of inputs) {
    if (parameter.in === 'query') url.searchParams.append(name, value);
  }
  return url;
}

function headersOf({ dataset, elements }, body) {
  const headers = new Headers({ accept: dataset.accept });
  if (body) headers.set('content-type', dataset.contentType);
  for (const { name, value, dataset: input } of elements) {
    const text = value.trim();
    if (text === '') continue;
    if (input.in === 'header') headers.set(name, text);
    if (!input.scheme) continue;
    if (/[^\x21-\x7e]/.test(text)) throw new Error('The credential has a character that no header can have.');
    headers.set(input.header, input.prefix + text);
  }
  return headers;
}

function report(outcome, text, detail = '', isSuccess = undefined) {
  const main = document.createElement('strong');
  main.textContent = text.trim();
  outcome.className = isSuccess === undefined ? '' : isSuccess ? 'success' : 'failure';
  outcome.replaceChildren(main, ' ', detail);
}

function show(result, response, text) {
  const [body, headers] = result.querySelectorAll('pre');
  const formatted = format(text);
  const shown = formatted.slice(0, MAX_SHOWN);
  body.firstElementChild.replaceChildren(
    ...(formatted === text ? [shown] : highlight(shown)),
    ...(shown === formatted ? [] : ['\n… cut here']),
  );
  body.parentElement.hidden = text === '';
  headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  result.hidden = false;
}

/** Indents JSON and keeps numbers as written. Returns other text as it is, and all text in a browser without `rawJSON`. */
function format(text) {
  try {
    const value = JSON.parse(text, (_, part, { source }) =>
      typeof part === 'number' ? JSON.rawJSON(source) : part,
    );
    return JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}

function highlight(json) {
  const parts = [];
  let end = 0;
  for (const match of json.matchAll(JSON_TOKEN)) {
    const [token, quoted, colon, literal] = match;
    const span = document.createElement('span');
    span.className = colon ? 'name' : quoted ? 'text' : literal ? 'word' : 'value';
    span.textContent = quoted ?? token;
    parts.push(json.slice(end, match.index), span, colon ?? '');
    end = match.index + token.length;
  }
  return [...parts, json.slice(end)];
}

function sizeOf(text) {
  const { size } = new Blob([text]);
  return size < 1_000 ? `${size} bytes` : `${(size / 1_000).toFixed(1)} kB`;
}
