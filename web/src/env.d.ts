/** Whether the gallery of the design system is part of this build. */
declare const __GALLERY__: boolean
