const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");

export const Avatar = ({ name }: { readonly name: string }) => (
  <span
    aria-hidden
    className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[10px] font-semibold text-accent"
  >
    {initialsOf(name)}
  </span>
);
