import { Checkbox } from "./checkbox";

type Choice<Value extends string> = { readonly label: string; readonly hint?: string; readonly value: Value };

type Props<Value extends string> = {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: readonly Value[];
  readonly error?: string | undefined;
  readonly onChange: (value: Value[]) => void;
};

export const CheckboxGroup = <Value extends string>({ legend, choices, value: chosen, error, onChange }: Props<Value>) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1 text-sm font-medium">{legend}</legend>
    <div className="grid gap-2 sm:grid-cols-2">
      {choices.map(({ value, label, hint }) => (
        <Checkbox
          key={value}
          checked={chosen.includes(value)}
          onCheckedChange={(isIn) => onChange(isIn ? [...chosen, value] : chosen.filter((each) => each !== value))}
        >
          {label}
          {hint === undefined ? null : <span className="block text-xs text-muted">{hint}</span>}
        </Checkbox>
      ))}
    </div>
    {error ? (
      <p role="alert" className="text-xs text-refused">
        {error}
      </p>
    ) : null}
  </fieldset>
);
