import { curlCommand } from './curl-command.ts';
import { formatJson } from './format-json.ts';
import type { Operation } from './operation.ts';
import { errorText, headerOf, type Reference } from './reference.ts';
import type { Field } from './schema-fields.ts';

/** Renders the API reference as markdown. @param publicUrl public URL of the service */
export function referenceMarkdown(reference: Reference, publicUrl: string): string {
  const { title, description, version, credentials, groups, errors } = reference;
  const contents = groups.map(
    ({ name, operations }) =>
      `- ${name}\n${operations.map(({ method, path, summary }) => `  - \`${method} ${path}\`: ${summary}\n`).join('')}`,
  );
  const sections = groups.map(
    ({ name, description: purpose, operations }) =>
      `## ${name}\n\n${purpose}\n\n${operations.map((operation) => operationMarkdown(operation, publicUrl)).join('\n')}`,
  );
  return `# ${title}

${description}

Version ${version}. Base URL: ${publicUrl}. OpenAPI document: ${publicUrl}/openapi.json${
    credentials.length === 0
      ? ''
      : `\nCredentials: ${credentials.map((credential) => `\`${headerOf(credential)}\``).join(', ')}`
  }

${contents.join('')}
${sections.join('\n')}
## Errors

${fieldList('Fields of every error', errors.fields, false)}

${errors.statuses.map((error) => `- ${error.status}: ${errorText(error, ', ')}\n`).join('')}`;
}

function operationMarkdown(operation: Operation, publicUrl: string): string {
  const { method, path, summary, description, isPublic, security, responses, errors, body } = operation;
  const access = isPublic ? 'No credentials needed.' : `Credentials: ${security.join(' or ')}.`;
  const parts = [
    `### ${summary}`,
    `\`${method} ${path}\`. ${access} ${description}`.trim(),
    fieldList('Path parameters', operation.pathParameters),
    fieldList('Query parameters', operation.queryParameters),
    fieldList('Headers', operation.headers),
    fieldList('Body', body?.fields ?? []),
    `\`\`\`sh\n${curlCommand(operation, publicUrl)}\n\`\`\``,
    ...responses.flatMap((response) => [
      `Response ${response.status}${response.description && `: ${response.description}`}`,
      fieldList('Fields', response.fields, false),
      response.example === undefined ? '' : `\`\`\`json\n${formatJson(response.example)}\n\`\`\``,
    ]),
    `Errors: ${errors.map((error) => `${error.status} (${errorText(error, ', or ').replace(/\.$/, '')})`).join(', ')}.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** @param isInput whether the caller sends the fields, so that "required" is about the caller */
function fieldList(title: string, fields: Field[], isInput = true): string {
  return fields.length === 0 ? '' : `${title}:\n\n${fieldLines(fields, isInput, '').join('\n')}`;
}

function fieldLines(fields: Field[], isInput: boolean, indent: string): string[] {
  return fields.flatMap(({ name, type, isRequired, description, limits, values, fields: nested }) => {
    const facts = [type, ...(isInput && isRequired ? ['required'] : []), ...limits].join(', ');
    const sentences = [
      description,
      values.length === 0 ? '' : `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    ];
    const text = sentences.filter((sentence) => sentence !== '').join(' ');
    return [
      `${indent}- \`${name}\` (${facts})${text && `: ${text}`}`,
      ...fieldLines(nested, isInput, `${indent}  `),
    ];
  });
}
