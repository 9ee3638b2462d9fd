// Adds to a page that can be read without it: search, copy buttons, requests, and the current operation in the contents.
const contents = document.querySelector('.contents');
const search = document.querySelector('.search');
const input = search.querySelector('input');
const status = document.querySelector('.found');
const others = document.querySelectorAll('.intro, .all-errors');
const operations = [...document.querySelectorAll('.operation')].map((element) => ({
  element,
  item: contents.querySelector(`a[href="#${element.id}"]`).parentElement,
  text: `${element.querySelector('h3').textContent} ${element.querySelector('.route').textContent} ${[
    ...element.querySelectorAll('.field code'),
  ].map((code) => code.textContent)}`.toLowerCase(),
}));
const groups = [...document.querySelectorAll('main section')].map((section) => ({
  section,
  item: contents.querySelector(`a[href="#${section.getAttribute('aria-labelledby')}"]`).parentElement,
}));

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { element, item, text } of operations) {
    element.hidden = item.hidden = !words.every((word) => text.includes(word));
  }
  for (const { section, item } of groups) {
    section.hidden = item.hidden = section.querySelector('.operation:not([hidden])') === null;
  }
  const found = operations.filter(({ element }) => !element.hidden).length;
  for (const other of others) other.hidden = words.length > 0;
  if (words.length > 0) scrollTo(0, 0);
  status.textContent =
    words.length === 0 ? '' : found === 0 ? `Nothing matches "${input.value}".` : `${found} found.`;
}

search.hidden = false;
input.addEventListener('input', filter);
input.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  input.value = '';
  filter();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === input) return;
  event.preventDefault();
  input.focus();
});

// Plain HTTP has no clipboard, except on localhost.
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('.sample')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    // Announces "Copied".
    button.ariaLive = 'polite';
    button.addEventListener('click', async () => {
      button.textContent = await navigator.clipboard.writeText(figure.querySelector('code').textContent).then(
        () => 'Copied',
        () => 'Not copied',
      );
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    figure.querySelector('figcaption').append(button);
  }
}

// Requests go only to this service. Credentials stay in their input fields: nothing stores them.
const credentials = [...document.querySelectorAll('.credentials input')];
const TIMEOUT_MS = 60_000;
/** Longer bodies are cut, because a page with them would become slow. */
const MAX_SHOWN = 200_000;

for (const element of document.querySelectorAll('.request, .credentials')) element.hidden = false;
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.elements.path) void send(form);
  });
}

async function send(form) {
  const { path, body } = form.elements;
  const button = form.querySelector('button');
  const output = form.querySelector('output');
  const result = form.nextElementSibling;
  const started = performance.now();
  button.disabled = true;
  result.hidden = true;
  output.textContent = 'Sending …';
  try {
    const response = await fetch(urlOf(path.value), {
      method: form.dataset.method,
      headers: headersOf(form),
      ...(body && { body: body.value }),
      cache: 'no-store',
      credentials: 'omit',
      // The page of a provider would not load here.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - started);
    output.textContent =
      response.type === 'opaqueredirect'
        ? `Redirect in ${milliseconds} ms. Open the path in the browser to follow it.`
        : `${response.status} ${response.statusText} in ${milliseconds} ms, ${sizeOf(text)}`;
    show(result, response, text);
  } catch (error) {
    output.textContent =
      error.name === 'TimeoutError' ? `No response within ${TIMEOUT_MS / 1_000} s.` : error.message;
  } finally {
    button.disabled = false;
  }
}

function urlOf(text) {
  const url = URL.parse(text.trim(), location.origin);
  if (text.trim().startsWith('/') && url?.origin === location.origin) return url;
  throw new Error('The path must start with / and have no host.');
}

function headersOf({ dataset, elements }) {
  const headers = new Headers({ accept: dataset.accept });
  if (elements.body) headers.set('content-type', 'application/json');
  for (const { name, value, dataset: credential } of credentials) {
    if (value.trim() === '' || !dataset.security.split(' ').includes(name)) continue;
    if (/[^\x21-\x7e]/.test(value.trim()))
      throw new Error('The credential has characters that no header can have.');
    headers.set(credential.header, credential.prefix + value.trim());
  }
  return headers;
}

function show(result, response, text) {
  const [body, headers] = result.querySelectorAll('pre');
  const shown = formatted(text);
  body.firstElementChild.textContent =
    shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… cut here` : shown;
  body.parentElement.hidden = text === '';
  headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  result.hidden = response.type === 'opaqueredirect';
}

/** Indents JSON, unless it has numbers that JavaScript would round. */
function formatted(text) {
  if (/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function sizeOf(text) {
  const { size } = new Blob([text]);
  return size < 1_000 ? `${size} bytes` : `${(size / 1_000).toFixed(1)} kB`;
}

// The topmost operation in the upper part of the window is the current one.
const visible = new Set();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    }
    const current = operations.find(({ element }) => visible.has(element));
    for (const { element, item } of operations) {
      const link = item.firstElementChild;
      if (element !== current?.element) link.removeAttribute('aria-current');
      else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'location');
        const { top, bottom } = link.getBoundingClientRect();
        const frame = contents.getBoundingClientRect();
        if (top < frame.top || bottom > frame.bottom)
          contents.scrollTop += top - frame.top - frame.height / 2;
      }
    }
  },
  { rootMargin: '-10% 0px -70% 0px' },
);
for (const { element } of operations) observer.observe(element);
