/**
 * The type of the values that a schema accepts. Only the keywords that the schemas of records use are supported. With
 * json-schema-to-ts, which supports all keywords, the compiler takes three times as long and finds the union of all records too
 * complex.
 */
export type ValueOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: infer Type }
    ? ValueOfType<Schema, Type extends readonly (infer One)[] ? One : Type>
    : never;

/** An object with these properties. Those that are not required are optional. */
export type FieldsOf<Properties, Required = never> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]>;
};

/** Types of the values of JSON Schema's `type`. */
interface ValueTypes {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
}

type ObjectOrArray<Schema, Type> = Type extends 'array'
  ? Schema extends { items: infer Item }
    ? ValueOf<Item>[]
    : unknown[]
  : Schema extends { properties: infer Properties }
    ? FieldsOf<Properties, Schema extends { required: readonly (infer Name)[] } ? Name : never>
    : Record<string, unknown>;

/** The type of the values that a schema accepts, for one of the types that it lists. */
type ValueOfType<Schema, Type> = Type extends keyof ValueTypes
  ? ValueTypes[Type]
  : ObjectOrArray<Schema, Type>;
