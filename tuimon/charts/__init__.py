"""Pure drawing to terminal cells: canvas, axes, lines, sparklines, histograms, heat maps."""
