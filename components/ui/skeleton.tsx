import { cn } from "./cn";

/** Visible after 150 ms; takes space immediately. */
const Skeleton = ({ className }: { readonly className?: string | undefined }) => (
  <div aria-hidden className={cn("appear-late h-4 rounded-sm bg-hover", className)} />
);

export const SkeletonRows = ({ rows = 6 }: { readonly rows?: number }) => (
  <output aria-label="Loading" className="flex flex-col gap-3 p-3">
    {Array.from({ length: rows }, (_, index) => (
      <Skeleton key={index} className={index % 3 === 0 ? "w-2/3" : index % 3 === 1 ? "w-5/6" : "w-1/2"} />
    ))}
  </output>
);
