export type ShapeProps = { readonly className?: string | undefined };

const frame = { viewBox: "0 0 16 16", fill: "none", "aria-hidden": true, focusable: false } as const;

export const CleanShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <circle cx="8" cy="8" r="5.25" stroke="currentColor" strokeWidth="2" />
  </svg>
);

export const ReviewedShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <circle cx="8" cy="8" r="5.25" stroke="currentColor" strokeWidth="2" />
    <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
  </svg>
);

/** Drop: untrusted data got in. */
export const TaintedShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <path d="M8 1.75c2.2 2.9 4.5 5.3 4.5 8A4.5 4.5 0 0 1 8 14.25a4.5 4.5 0 0 1-4.5-4.5c0-2.7 2.3-5.1 4.5-8z" fill="currentColor" />
  </svg>
);

/** Bar: no entry. */
export const RefusedShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <rect x="2" y="5.75" width="12" height="4.5" rx="1" fill="currentColor" />
  </svg>
);

export const WaitingShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <circle cx="8" cy="8" r="5.5" stroke="currentColor" strokeWidth="1.5" />
    <path d="M8 5v3.25L10 9.5" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

/** Hatch: hidden value. */
export const HiddenShape = ({ className }: ShapeProps) => (
  <svg {...frame} className={className}>
    <rect x="2.5" y="2.5" width="11" height="11" rx="1.5" stroke="currentColor" strokeWidth="1.25" />
    <path d="M3 9l6-6M3 13L13 3M7 13l6-6" stroke="currentColor" strokeWidth="1.25" />
  </svg>
);
