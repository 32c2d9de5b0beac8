"""Raw input events to actions in pixels: one streaming pass, a module for each rule."""
