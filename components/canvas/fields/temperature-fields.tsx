"use client";

import { NumberField } from "./number-field";

type Temperatures = { readonly initial_temperature: number; readonly final_temperature: number };

type Props = {
  readonly value: Temperatures;
  readonly onChange: (changed: Partial<Temperatures>, field?: string) => void;
};

/** A search's temperature never rises. */
export const TemperatureFields = ({ value, onChange }: Props) => (
  <>
    <NumberField
      label="Initial temperature"
      integer={false}
      value={value.initial_temperature}
      min={0}
      max={2}
      onCommit={(temperature) =>
        onChange(
          { initial_temperature: temperature, final_temperature: Math.min(value.final_temperature, temperature) },
          "initial_temperature",
        )
      }
    />
    <NumberField
      label="Final temperature"
      integer={false}
      value={value.final_temperature}
      min={0}
      max={value.initial_temperature}
      onCommit={(temperature) => onChange({ final_temperature: temperature }, "final_temperature")}
    />
  </>
);
