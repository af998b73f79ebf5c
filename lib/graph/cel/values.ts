import { isCelList, isCelMap, isCelUint, type CelInput } from "@bufbuild/cel";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { chainOf, childrenOf, type Ast } from "./ast";
import { ANY, findMember, type Type } from "./types";

export type OnRead = (path: readonly string[]) => void;

/** Paths only passed through, which are not reads. */
export type Passages = { readonly dynamic: boolean; readonly ends: ReadonlySet<string> };

const keyOf = (path: readonly string[]) => JSON.stringify(path);

/** `memory[x]` is dynamic too. */
export const passagesOf = (ast: Ast): Passages => {
  const chain = chainOf(ast);
  if (chain) return { dynamic: chain.length === 0, ends: new Set([keyOf(chain)]) };
  const inner = childrenOf(ast).map(passagesOf);

  return { dynamic: inner.some((part) => part.dynamic), ends: new Set(inner.flatMap((part) => [...part.ends])) };
};

export class GuardedMap extends Map<string, CelInput> {
  readonly #path: readonly string[];
  readonly #onRead: OnRead;
  readonly #passages: Passages;

  constructor(value: JsonObject, type: Type, path: readonly string[], onRead: OnRead, passages: Passages) {
    super(Object.entries(value).map(([key, item]) => [key, guarded(item, findMember(type, key) ?? ANY, [...path, key], onRead, passages)]));
    this.#path = path;
    this.#onRead = onRead;
    this.#passages = passages;
  }

  override get(key: string): CelInput | undefined {
    const value = super.get(key);
    const path = [...this.#path, key];
    // That a value is a map is a read, unless the text goes on to a member.
    const passing = value instanceof GuardedMap && !this.#passages.dynamic && !this.#passages.ends.has(keyOf(path));
    if (!passing) this.#onRead(path);

    return value;
  }

  override has(key: string): boolean {
    this.#onRead([...this.#path, key]);

    return super.has(key);
  }

  override get size(): number {
    // The base constructor may call this before the fields exist.
    if (#onRead in this) this.#onRead(this.#path);

    return super.size;
  }

  override entries(): MapIterator<[string, CelInput]> {
    this.#onRead(this.#path);

    return super.entries();
  }

  override keys(): MapIterator<string> {
    this.#onRead(this.#path);

    return super.keys();
  }

  override values(): MapIterator<CelInput> {
    this.#onRead(this.#path);

    return super.values();
  }

  override forEach(callback: (value: CelInput, key: string, map: Map<string, CelInput>) => void): void {
    this.#onRead(this.#path);
    super.forEach(callback);
  }

  override [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }
}

/** Only declared integers are integers: an undeclared 2 may be 2.5 next time. */
const isInteger = ({ kinds }: Type): boolean => kinds?.includes("int") === true;

/** A list is read as a whole. */
export const guarded = (value: Json, type: Type, path: readonly string[], onRead: OnRead, passages: Passages): CelInput => {
  if (isJsonObject(value)) return new GuardedMap(value, type, path, onRead, passages);
  if (Array.isArray(value)) return value.map((item: Json) => guarded(item, type.element ?? ANY, path, () => onRead(path), passages));

  return typeof value === "number" && isInteger(type) && Number.isSafeInteger(value) ? BigInt(value) : value;
};

class TooLarge extends RangeError {
  override readonly message = "the result is beyond 2^53, so JSON would round it";
}

const toNumber = (value: bigint): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TooLarge();

  return number;
};

/** @throws RangeError if an integer has no exact number */
export const toJson = (value: unknown): unknown => {
  if (typeof value === "bigint") return toNumber(value);
  if (isCelUint(value)) return toNumber(value.value);
  if (isCelList(value)) return [...value].map(toJson);
  if (isCelMap(value))
    return Object.fromEntries([...value].map(([key, item]) => [typeof key === "object" ? String(key.value) : String(key), toJson(item)]));

  return value;
};
