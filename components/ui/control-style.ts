export const controlStyle =
  "w-full rounded-md border border-control/60 bg-surface px-2.5 text-sm text-ink transition-colors placeholder:text-faint hover:border-control focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-refused data-invalid:border-refused [&:is(input,textarea):read-only]:bg-sunken";
