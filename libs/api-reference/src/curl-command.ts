import { formatJson } from './format-json.ts';
import type { Operation } from './operation.ts';

/** Returns the operation as a command. @param publicUrl public URL of the service */
export function curlCommand(
  { method, examplePath: path, exampleQuery, security, isPublic, body }: Operation,
  publicUrl: string,
): string {
  const flag = exampleQuery.length > 0 ? '-G ' : method === 'GET' ? '' : `-X ${method} `;
  return [
    `curl ${flag}"${publicUrl}${path}"`,
    ...(security.includes('bearer') && !isPublic ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(security.includes('apiKey') ? ['-H "x-api-key: $API_KEY"'] : []),
    ...exampleQuery.map(([name, value]) =>
      /^[\w.,:/-]*$/.test(value)
        ? `-d '${name}=${value}'`
        : `--data-urlencode ${shellQuote(`${name}=${value}`)}`,
    ),
    ...(body
      ? [
          `-H 'Content-Type: ${body.contentType}'`,
          `-H 'Accept: application/json'`,
          `-d ${shellQuote(bodyText(body))}`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** Returns the example of a body as it is sent. */
export function bodyText({ example, contentType }: NonNullable<Operation['body']>): string {
  return contentType === 'application/json'
    ? formatJson(example)
    : new URLSearchParams(example as Record<string, string>).toString();
}

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
