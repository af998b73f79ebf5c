/** JSON Schema patterns with RE2 semantics: JavaScript's regular expressions can backtrack exponentially. */
import { expandArtifact, isArtifactSchema } from "@/lib/graph/artifact-schema";
import { RE2JS } from "@bufbuild/re2";
import { isJsonObject, type Json } from "@/lib/json";

/** Keywords whose members are author-named schemas. */
export const SCHEMA_MAPS: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/** Keywords whose value is data, never a schema. */
const DATA = ["enum", "const", "default"];

/** RE2 is linear in the text, but compiling is not linear in the pattern. */
const MAX_PATTERN_LENGTH = 1_000;
const MAX_PATTERNS = 64;

type Member = readonly [string, unknown];

type Faces = { readonly names: ReadonlySet<string>; readonly texts: ReadonlySet<string> };

const facesOf = (value: Json): Faces => {
  const names = new Set<string>();
  const texts = new Set<string>();
  const left: Json[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") texts.add(one);
    if (Array.isArray(one)) for (const item of one) left.push(item);
    if (!isJsonObject(one)) continue;
    for (const [name, member] of Object.entries(one)) {
      names.add(name);
      left.push(member);
    }
  }

  // `propertyNames` checks names as texts.
  return { names, texts: new Set([...texts, ...names]) };
};

class UnusablePattern extends Error {}

const compile = (pattern: unknown): RE2JS => {
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN_LENGTH) throw new UnusablePattern("the pattern is too long");

  return new RE2JS(pattern);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** `pattern` applies to strings only. */
const patternAsList = (pattern: unknown, faces: Faces): object => {
  const matcher = compile(pattern);

  return { not: { enum: [...faces.texts].filter((text) => !matcher.test(text)) } };
};

const namedByPatterns = (patterns: unknown, faces: Faces): Member[] =>
  Object.entries(isObject(patterns) ? patterns : {}).flatMap(([pattern, schema]) => {
    const matcher = compile(pattern);

    return [...faces.names].filter((name) => matcher.test(name)).map((name): Member => [name, schema]);
  });

const rewrite = (schema: Record<string, unknown>, faces: Faces): Record<string, unknown> => {
  const { pattern, patternProperties, format, properties, allOf, ...others } = schema;
  const listed = isObject(properties) ? properties : {};
  const named = namedByPatterns(patternProperties, faces);
  // The first matching schema makes the name a known property.
  const known = { ...Object.fromEntries(named.toReversed()), ...listed };
  const further = named
    .filter(([name, one]) => known[name] !== one)
    .map(([name, one]) => ({ properties: Object.fromEntries([[name, one]]) }));
  const own: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  const conditions = [...(pattern === undefined ? [] : [patternAsList(pattern, faces)]), ...further];

  return {
    ...others,
    ...(properties === undefined && named.length === 0 ? {} : { properties: known }),
    ...(allOf === undefined && conditions.length === 0 ? {} : { allOf: [...own, ...conditions] }),
    // The validator's `url` format is exponential; every URL is a URI.
    ...(format === undefined ? {} : { format: format === "url" ? "uri" : format }),
  };
};

const everywhere = (schema: unknown, faces: Faces): unknown => {
  if (Array.isArray(schema)) return schema.map((item: unknown) => everywhere(item, faces));
  if (!isObject(schema)) return schema;

  return rewrite(
    Object.fromEntries(
      Object.entries(expandArtifact(schema)).map(([key, value]): Member => {
        if (DATA.includes(key)) return [key, value];

        return [key, SCHEMA_MAPS.includes(key) && isObject(value) ? members(value, faces) : everywhere(value, faces)];
      }),
    ),
    faces,
  );
};

const members = (map: Record<string, unknown>, faces: Faces): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).map(([name, schema]): Member => [name, everywhere(schema, faces)]));

const patternsIn = (schema: unknown): number => {
  if (Array.isArray(schema)) return schema.reduce((sum: number, item: unknown) => sum + patternsIn(item), 0);
  if (!isObject(schema)) return 0;
  const own =
    Number("pattern" in schema || isArtifactSchema(schema)) +
    Object.keys(isObject(schema["patternProperties"]) ? schema["patternProperties"] : {}).length;

  return Object.values(schema).reduce((sum: number, item) => sum + patternsIn(item), own);
};

export const hasPatterns = (schema: unknown): boolean => patternsIn(schema) > 0;

/**
 * Replaces patterns by RE2's answers, equivalent for this value only.
 * @throws on patterns that RE2 refuses (look-around, back-references), too long or too many
 */
export const answerPatterns = (schema: unknown, value: Json): unknown => {
  if (patternsIn(schema) > MAX_PATTERNS) throw new UnusablePattern("too many patterns");

  return everywhere(schema, facesOf(value));
};
