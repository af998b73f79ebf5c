import { Kbd } from "@/components/ui/kbd";
import { formatKey } from "./key-label";

export const Keys = ({ keys }: { readonly keys: readonly string[] }) => (
  <span className="flex shrink-0 items-center gap-1">
    {keys.map((key, index) => (
      <Kbd key={`${index} ${key}`}>{formatKey(key)}</Kbd>
    ))}
  </span>
);
