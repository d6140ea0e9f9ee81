/** Of the read-only documents; menus of their editors look for it. */
export const SCHEME = "batch-control";
