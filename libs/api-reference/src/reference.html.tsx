import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { highlightJson } from './highlight-json.tsx';
import { bodyText, curlCommand } from './curl-command.ts';
import type { ErrorStatus, Operation, SuccessResponse } from './operation.ts';
import { type Credential, errorText, headerOf, type Reference } from './reference.ts';
import type { Field } from './schema-fields.ts';

/** A link in the header of the page. */
export interface ReferenceLink {
  name: string;
  /** Absolute, or a path of the service. */
  url: string;
}

interface ReferencePage {
  reference: Reference;
  /** Public URL of the service. */
  publicUrl: string;
  /** URL of the logo, which leads to it. */
  homeUrl: string;
  links: readonly ReferenceLink[];
  /** Paths of the files of the page. */
  files: { stylesheet: string; scripts: readonly string[]; logo: string };
}

/** Renders the API reference. Its scripts add search, copy buttons and requests; the page can be read without them. */
export function referenceHtml({ reference, publicUrl, homeUrl, links, files }: ReferencePage): string {
  const { title, description, version, credentials, groups } = reference;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} reference</title>
        <meta name="description" content={description} />
        <link rel="alternate" type="text/markdown" href="/docs.md" />
        <link rel="icon" type="image/svg+xml" href={files.logo} />
        <link rel="stylesheet" href={files.stylesheet} />
        {files.scripts.map((script) => (
          <script type="module" src={script}></script>
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="masthead">
          <a class="name" href={homeUrl}>
            <img src={files.logo} alt="" width="28" height="28" />
            GPU Observatory
          </a>
          <nav aria-label="Site">
            {links.map((link) => (
              <a href={link.url}>{link.name}</a>
            ))}
            <a href="/docs" aria-current="page">
              API reference
            </a>
          </nav>
        </header>
        <div class="columns">
          {contents(groups)}
          <main id="content" tabindex={-1}>
            <div class="intro">
              <h1>{title}</h1>
              <p class="lead">{inline(description)}</p>
              <dl class="facts">
                <div>
                  <dt>Base URL</dt>
                  <dd>
                    <code>{publicUrl}</code>
                  </dd>
                </div>
                {credentials.length > 0 && (
                  <div>
                    <dt>Credentials</dt>
                    <dd>
                      {credentials.map((credential) => (
                        <code>{headerOf(credential)}</code>
                      ))}
                    </dd>
                  </div>
                )}
                <div>
                  <dt>Version</dt>
                  <dd>{version}</dd>
                </div>
                <div>
                  <dt>Formats</dt>
                  <dd>
                    <a href="/openapi.json">OpenAPI 3.1</a> <a href="/docs.md">Markdown</a>
                  </dd>
                </div>
              </dl>
            </div>
            {groups.map((group) => (
              <section aria-labelledby={groupId(group.name)}>
                <h2 id={groupId(group.name)}>{group.name}</h2>
                <p class="purpose">{inline(group.description)}</p>
                {group.operations.map((operation) => operationSection(operation, reference, publicUrl))}
              </section>
            ))}
            {errorSection(reference.errors)}
          </main>
        </div>
        <footer>
          <p>
            <a href="/docs.md">This page as markdown</a>
            <a href="/openapi.json">OpenAPI</a>
            {links.map((link) => (
              <a href={link.url}>{link.name}</a>
            ))}
          </p>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

const groupId = (name: string) => `group-${name.replaceAll(' ', '-')}`;

const contents = (groups: Reference['groups']) => (
  <nav class="contents" aria-label="Operations">
    <div class="search" hidden>
      <label class="sr-only" for="search">
        Search operations
      </label>
      <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck={false} />
      <kbd>/</kbd>
      <p class="found" role="status"></p>
    </div>
    {groups.map(({ name, operations }) => (
      <div class="group">
        <a class="group-name" href={`#${groupId(name)}`}>
          {name}
        </a>
        <ul>
          {operations.map(({ id, method, summary }) => (
            <li>
              <a href={`#${id}`}>
                {methodMark(method)}
                <span>{summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <div class="group">
      <a class="group-name" href="#errors">
        Errors
      </a>
    </div>
  </nav>
);

const errorSection = ({ fields, statuses }: Reference['errors']) => (
  <div class="all-errors">
    <h2 id="errors">Errors</h2>
    <p class="purpose">Every error response has these fields. Programs check the status and the code.</p>
    <ul class="fields">{fields.map((field) => fieldItem(field, false))}</ul>
    {errorList(statuses, ', ')}
  </div>
);

const methodMark = (method: string) => (
  <span class={`method ${method.toLowerCase()}`}>{method === 'DELETE' ? 'DEL' : method}</span>
);

/** Sends the request of an operation. Visible with a script. */
const requestForm = (operation: Operation, credentials: Credential[]) => {
  const { method, path, summary, security, inputs, body, responses } = operation;
  const further = inputs.filter(({ example, isRequired }) => example === '' && !isRequired);
  return (
    <details class="request" hidden>
      <summary>
        Send a request<span class="sr-only">: {summary}</span>
      </summary>
      <form
        data-method={method}
        data-path={path}
        data-accept={responses[0]?.contentType ?? 'application/json'}
        data-content-type={body?.contentType}
      >
        {credentials.filter(({ scheme }) => security.includes(scheme)).map(credentialInput)}
        {inputs.filter((input) => !further.includes(input)).map(parameterInput)}
        {further.length > 0 && (
          <div class="further">
            <label>
              Another parameter
              <select>
                {further.map(({ location, name }) => (
                  <option data-in={location}>{name}</option>
                ))}
              </select>
            </label>
            <button type="button">Add</button>
          </div>
        )}
        {body && bodyInput(bodyText(body))}
        <p class="send">
          <button type="submit">Send</button> <output></output>
        </p>
      </form>
      <div class="result" hidden>
        <figure class="sample">
          <figcaption>Response body</figcaption>
          <pre tabindex={0}>
            <code></code>
          </pre>
        </figure>
        <details>
          <summary>Response headers</summary>
          <pre tabindex={0}></pre>
        </details>
      </div>
    </details>
  );
};

const credentialInput = ({ scheme, name, header, prefix }: Credential) => (
  <label>
    {name} <span class="type">not stored</span>
    <input
      type="password"
      data-scheme={scheme}
      data-header={header}
      data-prefix={prefix}
      autocomplete="off"
    />
  </label>
);

const parameterInput = ({ location, name, example, isRequired }: Operation['inputs'][number]) => (
  <label>
    <code>{name}</code>
    <input
      name={name}
      data-in={location}
      value={example}
      required={isRequired}
      autocomplete="off"
      spellcheck={false}
    />
  </label>
);

const bodyInput = (text: string) => (
  <label>
    Body
    <textarea rows={text.split('\n').length} autocomplete="off" spellcheck={false}>
      {text}
    </textarea>
  </label>
);

const operationSection = (operation: Operation, { credentials }: Reference, publicUrl: string) => (
  <article class="operation" id={operation.id} aria-labelledby={`${operation.id}-title`}>
    <div class="text">
      <h3 id={`${operation.id}-title`}>
        <a href={`#${operation.id}`}>{operation.summary}</a>
      </h3>
      <p class="route">
        {methodMark(operation.method)} <code>{breakable(operation.path)}</code>
      </p>
      {operation.description && <p>{inline(operation.description)}</p>}
      <p class="access">{access(operation)}</p>
      {fieldList('Path parameters', operation.pathParameters, true)}
      {fieldList('Query parameters', operation.queryParameters, true)}
      {fieldList('Headers', operation.headers, true)}
      {fieldList('Body', operation.body?.fields ?? [], true)} {operation.responses.map(responseFields)}
      {errors(operation)}
    </div>
    <div class="samples">
      {sample('Request', curlCommand(operation, publicUrl), 'sh')}
      {requestForm(operation, credentials)}
      {operation.responses.map(
        ({ status, example }) =>
          example !== undefined && sample(`Response ${status}`, highlightJson(example), 'json'),
      )}
    </div>
  </article>
);

const CREDENTIAL_NAMES: Record<string, string> = {
  bearer: 'an access token',
  clientCredentials: 'the access token of an API key',
};

function access({ isPublic, security }: Operation): ComponentChildren {
  const names = security.map((scheme) => CREDENTIAL_NAMES[scheme] ?? 'an API key').join(' or ');
  if (names === '') return 'Public: no credentials needed.';
  return isPublic ? `Optional: ${names}.` : `Needs ${names}.`;
}

const responseFields = ({ status, description, contentType, fields }: SuccessResponse) => (
  <>
    <h4>Response {status}</h4>
    {(description || contentType) && (
      <p class="note">
        {inline(description)}
        {contentType && (
          <>
            {' '}
            <code>{contentType}</code>
          </>
        )}
      </p>
    )}
    {fields.length > 0 && (
      <ul class="fields">{fields.map((field) => fieldItem(field, false, fields.length === 1))}</ul>
    )}
  </>
);

const fieldList = (title: string, fields: Field[], isInput: boolean) =>
  fields.length > 0 && (
    <>
      <h4>{title}</h4>
      <ul class="fields">{fields.map((field) => fieldItem(field, isInput))}</ul>
    </>
  );

/**
 * @param isInput whether the caller sends the field, so that "required" is about the caller
 * @param isOpen whether nested fields are visible at first
 */
function fieldItem(field: Field, isInput: boolean, isOpen = false): VNode {
  const { name, type, isRequired, description, limits, values, fields } = field;
  return (
    <li>
      <p class="field">
        <code>{breakable(name)}</code> <span class="type">{[type, ...limits].join(', ')}</span>
        {isInput && isRequired && (
          <>
            {' '}
            <span class="required">required</span>
          </>
        )}
      </p>
      {description && <p>{inline(description)}</p>} {valueList(values)}
      {fields.length > 0 && (
        <details open={isOpen}>
          <summary>
            {fields.length === 1 ? '1 field' : `${fields.length} fields`}
            <span class="sr-only">of {name}</span>
          </summary>
          <ul class="fields">{fields.map((nested) => fieldItem(nested, isInput))}</ul>
        </details>
      )}
    </li>
  );
}

/** More values than this are folded. */
const MAX_OPEN_VALUES = 6;

function valueList(values: string[]): ComponentChildren {
  if (values.length === 0) return false;
  const list = (
    <p class="values">
      {values.map((value) => (
        <>
          <code>{value}</code>{' '}
        </>
      ))}
    </p>
  );
  if (values.length <= MAX_OPEN_VALUES) return list;
  return (
    <details>
      <summary>{values.length} values</summary>
      {list}
    </details>
  );
}

const errors = ({ id, errors: all }: Operation) => (
  <>
    <h4 id={`${id}-errors`}>Errors</h4>
    {errorList(all, ', or ')}
  </>
);

const errorList = (all: ErrorStatus[], separator: ', ' | ', or ') => (
  <dl class="errors">
    {all.map((error) => (
      <div>
        <dt>{error.status}</dt>
        <dd>{inline(errorText(error, separator))}</dd>
      </div>
    ))}
  </dl>
);

const sample = (title: string, code: ComponentChildren, language: string) => (
  <figure class="sample">
    <figcaption>{title}</figcaption>
    <pre tabindex={0} data-language={language}>
      <code>{code}</code>
    </pre>
  </figure>
);

/** Renders text with inline code in backticks. */
function inline(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

/** Allows line breaks after slashes, brackets and underscores. */
function breakable(text: string): ComponentChildren {
  return text.split(/(?<=[/_[\]])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]));
}
