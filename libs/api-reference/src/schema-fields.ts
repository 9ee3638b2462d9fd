import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema as far as the documents of the services use it. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

/** A parameter or a property of an object, in words. */
export interface Field {
  name: string;
  /** For example `string`, `array of objects`, `integer or null`. */
  type: string;
  isRequired: boolean;
  description: string;
  /** For example `1 to 100` or `default 20`. */
  limits: string[];
  /** Accepted or possible values; empty if any value of the type is. */
  values: string[];
  /** Properties of an object, or of the objects in an array. */
  fields: Field[];
}

/** Describes the schemas of a document. */
export class SchemaFields {
  constructor(private readonly document: OpenAPIObject) {}

  /** Describes one parameter or property. */
  field(name: string, schema: Schema, isRequired: boolean, description?: string): Field {
    const { schema: value, isNullable } = this.resolve(schema);
    const item = value.items ? this.resolve(value.items).schema : undefined;
    return {
      name,
      type: typeName(value, item) + (isNullable ? ' or null' : ''),
      isRequired,
      description: description ?? schema.description ?? value.description ?? '',
      limits: limitsOf(value),
      values: (value.enum ?? item?.enum ?? []).map(String),
      fields: this.properties(item ?? value),
    };
  }

  /** Describes the properties of an object, or of the objects in an array. */
  properties(schema: Schema): Field[] {
    const { schema: value } = this.resolve(schema);
    const { properties = {}, required = [] } = value.items ? this.resolve(value.items).schema : value;
    return Object.entries(properties).map(([name, property]) =>
      this.field(name, property, required.includes(name)),
    );
  }

  /** Follows references, merges `allOf` and separates null from the other alternative. */
  private resolve(schema: Schema): { schema: Schema; isNullable: boolean } {
    if (schema.$ref !== undefined) return this.resolve(this.referenced(schema.$ref));
    if (schema.allOf) {
      const parts = schema.allOf.map((part) => this.resolve(part).schema);
      const merged = parts.reduce((all, part) => ({
        ...all,
        ...part,
        properties: { ...all.properties, ...part.properties },
        required: [...(all.required ?? []), ...(part.required ?? [])],
      }));
      return {
        schema: { ...merged, ...(schema.description && { description: schema.description }) },
        isNullable: false,
      };
    }
    const others = schema.oneOf?.filter(({ type }) => type !== 'null');
    if (others?.length === 1) return { schema: this.resolve(others[0]!).schema, isNullable: true };
    if (Array.isArray(schema.type)) {
      const [type = 'any'] = schema.type.filter((one) => one !== 'null');
      return { schema: { ...schema, type }, isNullable: schema.type.includes('null') };
    }
    return { schema, isNullable: false };
  }

  private referenced(reference: string): Schema {
    const name = reference.replace('#/components/schemas/', '');
    const schema = this.document.components?.schemas?.[name] as Schema | undefined;
    if (!schema) throw new Error(`The OpenAPI document has no schema ${reference}.`);
    return schema;
  }
}

function typeName(schema: Schema, item: Schema | undefined): string {
  if (item) return `array of ${plural(typeName(item, undefined))}`;
  if (schema.format === 'date-time') return 'RFC 3339 time';
  if (schema.format === 'uri') return 'URL';
  if (schema.format === 'email') return 'email address';
  if (schema.format === 'uuid') return 'UUID';
  return typeof schema.type === 'string' ? schema.type : 'any';
}

const plural = (type: string) =>
  type === 'any' ? 'values' : type === 'email address' ? 'email addresses' : `${type}s`;

function limitsOf(schema: Schema): string[] {
  const limits = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ].filter((limit) => limit !== undefined);
  return schema.default === undefined ? limits : [...limits, `default ${JSON.stringify(schema.default)}`];
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from !== undefined && to !== undefined)
    return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  // A minimum of one character is the same as a required value.
  return from === undefined || (from === 1 && unit === ' characters') ? undefined : `at least ${from}${unit}`;
}
