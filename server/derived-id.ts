import { digestOf } from "@/lib/hash";
import type { Json } from "@/lib/json";

/** Derives a UUID (version 8) from its content, for idempotency. */
export const deriveId = (of: Json): string => {
  const hex = digestOf("request", of);

  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
};
