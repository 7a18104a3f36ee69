/** A file that was uploaded and refused: what it was for, so that it can be sent again once a mapping reads it. */
export interface RefusedUpload {
  readonly file: File;
  readonly target: { readonly letter_id?: string; readonly connection_id?: string };
}

let kept: RefusedUpload | null = null;

/** Keeps a refused file in the page's memory for the mapping editor; it is gone when the page is left. */
export function keepRefusedUpload(upload: RefusedUpload): void {
  kept = upload;
}

/** The file that was refused last; null after a reload. */
export function refusedUpload(): RefusedUpload | null {
  return kept;
}
