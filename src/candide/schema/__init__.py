"""What may occur: columns, their levels and values, class labels."""
