import { LoaderCircle } from "lucide-react";
import { cn } from "./cn";

export const Spinner = ({ className }: { readonly className?: string | undefined }) => (
  <LoaderCircle aria-hidden className={cn("size-4 animate-spin motion-reduce:animate-none", className)} />
);
