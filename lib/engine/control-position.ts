/** Values that steer where an effect goes or how much it moves: untrusted ones there are pointed out. */
import type { ViewLine } from "@/lib/engine/approval-view";

const STEERING =
  /(?:^|_)(?:recipient|recipients|to|cc|bcc|email|address|amount|cents|price|total|credit|sum|path|file|folder|url|uri|host|domain|account|iban|customer|user|target|owner|role|admin|plan|command|query|sql)(?:_|$)/;

const words = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();

/** Whether an untrusted value stands where it steers what happens. */
export const isUntrustedControl = (line: Pick<ViewLine, "path" | "op" | "integrity">): boolean => {
  const name = line.path.split(".").at(-1) ?? line.path;

  return line.op !== "show" && line.integrity === "untrusted" && STEERING.test(words(name));
};
