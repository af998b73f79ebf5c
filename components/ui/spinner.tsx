import { LoaderCircle } from "lucide-react";
import { cn } from "./cn";

/** Decoration beside a text that says what is being waited for. */
export const Spinner = ({ className }: { readonly className?: string | undefined }) => (
  <LoaderCircle aria-hidden className={cn("size-4 animate-spin motion-reduce:animate-none", className)} />
);
