import { h } from 'preact';

/** A submitted form: the values as typed, and an error message for each invalid field. */
export interface SubmittedForm {
  values: Readonly<Record<string, unknown>>;
  errors: ReadonlyMap<string, string>;
}

/** A field with the attributes of its element. One with `rows` is a text area. */
interface Field {
  name: string;
  label: string;
  required?: boolean;
  maxlength: number;
  autocomplete?: string;
  type?: 'email';
  rows?: number;
}

const FIELDS: Field[] = [
  { name: 'firstName', label: 'First name', required: true, maxlength: 100, autocomplete: 'given-name' },
  {
    name: 'email',
    label: 'Email address',
    required: true,
    maxlength: 254,
    autocomplete: 'email',
    type: 'email',
  },
  { name: 'company', label: 'Company (optional)', maxlength: 200, autocomplete: 'organization' },
  { name: 'message', label: 'Message', required: true, maxlength: 5000, rows: 8 },
];

/**
 * A form that works without a script. A rejected form keeps its values, shows each error at its field, and focuses the
 * first invalid one. The hidden field `nickname` is a trap for bots.
 */
export function ContactForm({ values = {}, errors = new Map() }: Partial<SubmittedForm>) {
  const firstInvalid = FIELDS.find(({ name }) => errors.has(name));
  return (
    <form class="contact" method="post" action="/contact">
      <h2>Contact form</h2>
      {FIELDS.map((field) => (
        <FormField
          field={field}
          value={values[field.name]}
          error={errors.get(field.name)}
          hasFocus={field === firstInvalid}
        />
      ))}
      <p class="unseen" aria-hidden="true">
        <label for="nickname">Leave this empty</label>
        <input id="nickname" name="nickname" tabindex={-1} autocomplete="off" />
      </p>
      <p>
        <button>Send</button>
      </p>
    </form>
  );
}

interface FormFieldProps {
  field: Field;
  value: unknown;
  error: string | undefined;
  hasFocus: boolean;
}

function FormField({ field: { name, label, ...attributes }, value, error, hasFocus }: FormFieldProps) {
  const control = {
    id: name,
    name,
    ...attributes,
    ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': `${name}-error` }),
    ...(hasFocus && { autofocus: true }),
    value: typeof value === 'string' && value !== '' ? value : undefined,
  };
  return (
    <p>
      <label for={name}>{label}</label>
      {h(attributes.rows === undefined ? 'input' : 'textarea', control)}
      {error !== undefined && (
        <span class="invalid" id={`${name}-error`}>
          {atField(error)}
        </span>
      )}
    </p>
  );
}

/** `"email" must be an email address.` → `Must be an email address.`: the label names the field. */
function atField(message: string): string {
  const text = message.replace(/^"\w+" /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
