import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** A submitted form: the values as typed, and an error message for each invalid field. */
export interface SubmittedForm {
  values: Readonly<Record<string, unknown>>;
  errors: ReadonlyMap<string, string>;
}

const EMPTY: SubmittedForm = { values: {}, errors: new Map() };

interface Field {
  name: string;
  label: string;
  attributes: Record<string, unknown>;
}

const FIELDS: Field[] = [
  {
    name: 'firstName',
    label: 'First name',
    attributes: { required: true, maxlength: 100, autocomplete: 'given-name' },
  },
  {
    name: 'email',
    label: 'Email address',
    attributes: { type: 'email', required: true, maxlength: 254, autocomplete: 'email' },
  },
  {
    name: 'company',
    label: 'Company (optional)',
    attributes: { maxlength: 200, autocomplete: 'organization' },
  },
  { name: 'message', label: 'Message', attributes: { required: true, maxlength: 5000, rows: 8 } },
];

/**
 * Renders a form that works without a script. A rejected form keeps its values, shows each error at its field, and
 * focuses the first invalid one. The hidden field `nickname` is a trap for bots.
 */
export function contactForm({ values, errors }: SubmittedForm = EMPTY): VNode {
  const firstInvalid = FIELDS.find(({ name }) => errors.has(name))?.name;
  const field = ({ name, label, attributes }: Field) => {
    const error = errors.get(name);
    const value = values[name];
    const typed = typeof value === 'string' ? value : '';
    const control = {
      id: name,
      name,
      ...attributes,
      ...(error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }),
      ...(name === firstInvalid ? { autofocus: true } : {}),
    };
    return html`
      <p>
        <label for=${name}>${label}</label>
        ${
          name === 'message'
            ? html`<textarea ...${control}>${typed}</textarea>`
            : html`<input ...${control} value=${typed || undefined} />`
        }
        ${error === undefined ? null : html`<span class="invalid" id=${`${name}-error`}>${atField(error)}</span>`}
      </p>
    `;
  };
  return html`
    <form class="contact" method="post" action="/contact">
      <h2>Contact form</h2>
      ${FIELDS.map(field)}
      <p class="unseen" aria-hidden="true">
        <label for="nickname">Leave this empty</label>
        <input id="nickname" name="nickname" tabindex="-1" autocomplete="off" />
      </p>
      <p><button>Send</button></p>
    </form>
  ` as VNode;
}

/** `"email" must be an email address.` → `Must be an email address.`: the label names the field. */
function atField(message: string): string {
  const text = message.replace(/^"\w+" /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
