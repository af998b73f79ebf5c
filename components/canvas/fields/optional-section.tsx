"use client";

import { useId, type ReactNode } from "react";
import { Checkbox } from "@/components/ui/checkbox";

type Props = {
  readonly title: string;
  readonly about: string;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly children: ReactNode;
};

export const OptionalSection = ({ title, about, isOn, onToggle, children }: Props) => {
  const aboutId = useId();

  return (
    <fieldset aria-label={title} aria-describedby={aboutId} className="flex flex-col gap-3">
      <div className="flex flex-col gap-0.5">
        <Checkbox checked={isOn} onCheckedChange={onToggle}>
          {title}
        </Checkbox>
        <p id={aboutId} className="pl-6 text-xs text-muted">
          {about}
        </p>
      </div>
      {isOn ? <div className="flex flex-col gap-3 border-l-2 pl-3">{children}</div> : null}
    </fieldset>
  );
};
