/** A submitted form: the values as typed, and an error message for each invalid field. */
export interface SubmittedForm {
  values: Readonly<Record<string, unknown>>;
  errors: ReadonlyMap<string, string>;
}

interface Field {
  name: string;
  label: string;
  kind: 'line' | 'email' | 'text';
  attributes: { required?: boolean; maxlength: number; autocomplete?: string };
}

const FIELDS: Field[] = [
  {
    name: 'firstName',
    label: 'First name',
    kind: 'line',
    attributes: { required: true, maxlength: 100, autocomplete: 'given-name' },
  },
  {
    name: 'email',
    label: 'Email address',
    kind: 'email',
    attributes: { required: true, maxlength: 254, autocomplete: 'email' },
  },
  {
    name: 'company',
    label: 'Company (optional)',
    kind: 'line',
    attributes: { maxlength: 200, autocomplete: 'organization' },
  },
  { name: 'message', label: 'Message', kind: 'text', attributes: { required: true, maxlength: 5000 } },
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

function FormField({ field: { name, label, kind, attributes }, value, error, hasFocus }: FormFieldProps) {
  const typed = typeof value === 'string' && value !== '' ? value : undefined;
  const control = {
    id: name,
    name,
    ...attributes,
    ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': `${name}-error` }),
    ...(hasFocus && { autofocus: true }),
  };
  return (
    <p>
      <label for={name}>{label}</label>
      {kind === 'line' && <input {...control} value={typed} />}
      {kind === 'email' && <input {...control} type="email" value={typed} />}
      {kind === 'text' && (
        <textarea {...control} rows={8}>
          {typed}
        </textarea>
      )}
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
