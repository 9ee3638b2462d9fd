// Adds to a page that can be read without it: search, copy buttons, and the current operation in the contents.
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
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, select, textarea')) return;
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
